import { loadProductByName } from '#app/features/catalog/catalog.server.ts';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/product-details.ts';

/**
 * What the modal shows, by the product's name in any case. An unknown name is answered with null and not with 404:
 * browsers report a failed request in the console even where nothing is wrong.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const name = new URL(request.url).searchParams.get('name') ?? '';
  const product = await loadProductByName(context.get(shopContext), name);
  return Response.json(product, { headers: { 'cache-control': 'no-cache' } });
}
