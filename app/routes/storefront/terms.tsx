import { matchingPolicies, policiesOf, titleOf } from '#app/features/terms/policies.ts';
import { TermsPage } from '#app/features/terms/terms-page.tsx';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/terms.ts';
import { useStorefront } from './layout.tsx';
import { PageTrouble } from './page-trouble.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  return {
    policy: new URL(request.url).searchParams.get('policy') ?? '',
    canonical: `${context.get(shopContext).siteUrl}/terms`,
  };
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shop = matches[1].loaderData?.shop;
  const title = titleOf(shop && loaderData ? matchingPolicies(policiesOf(shop), loaderData.policy) : []);
  return [
    { title: `${title} · ${shop?.name ?? 'Mithaas'}` },
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

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
