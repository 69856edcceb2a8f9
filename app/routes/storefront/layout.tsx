import { Outlet, useRouteLoaderData } from 'react-router';
import { SignIn } from '#app/features/account/sign-in.tsx';
import { loadShopFacts } from '#app/features/catalog/catalog.server.ts';
import type { loader as rootLoader } from '#app/root.tsx';
import { shopContext } from '#app/shop-context.ts';
import { PageFooter, PageHeader } from '#app/ui/page-frame.tsx';
import type { Route } from './+types/layout.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return { shop: await loadShopFacts(context.get(shopContext)) };
}

export default function StorefrontLayout({ loaderData: { shop } }: Route.ComponentProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root');
  return (
    <>
      <PageHeader name={shop.name}>{root && <SignIn config={root.publicConfig} />}</PageHeader>
      <Outlet />
      <PageFooter>
        <p>{shop.legalName || shop.name}</p>
        {shop.address && <p>{shop.address}</p>}
        {shop.fssaiNumber && <p>FSSAI {shop.fssaiNumber}</p>}
        {shop.email && (
          <p>
            <a href={`mailto:${shop.email}`}>{shop.email}</a>
          </p>
        )}
      </PageFooter>
    </>
  );
}
