import { TermsPage } from '#app/features/terms/terms-page.tsx';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/terms.ts';
import { useStorefront } from './layout.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  return {
    policy: new URL(request.url).searchParams.get('policy') ?? '',
    canonical: `${context.get(shopContext).siteUrl}/terms`,
  };
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [
    { title: `Terms and conditions · ${shopName}` },
    {
      name: 'description',
      content: 'Shipping and delivery, refunds and cancellation, payment, allergens, privacy and complaints.',
    },
    ...(loaderData ? [{ tagName: 'link', rel: 'canonical', href: loaderData.canonical }] : []),
  ];
}

export default function TermsRoute({ loaderData: { policy } }: Route.ComponentProps) {
  const { shop } = useStorefront();
  return (
    <main>
      <TermsPage shop={shop} policy={policy} />
    </main>
  );
}
