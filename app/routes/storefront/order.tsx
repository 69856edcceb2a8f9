import { lazy, Suspense } from 'react';
import { data } from 'react-router';
import { FollowPage, LinkMissing } from '#app/features/follow/follow-page.tsx';
import { loadFollowedOrder } from '#app/features/follow/followed-order.server.ts';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/order.ts';
import { useStorefront } from './layout.tsx';
import { PageTrouble } from './page-trouble.tsx';

const ClaimsSection = lazy(() => import('#app/features/claims/claims-section.tsx'));

export async function loader({ params, context }: Route.LoaderArgs) {
  const order = await loadFollowedOrder(context.get(shopContext), params.token);
  return data({ order, now: new Date().toISOString() }, { status: order ? 200 : 404 });
}

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  const order = loaderData?.order;
  return [
    { title: `${order ? `Order ${order.number}` : 'This link doesn’t work'} · ${shopName}` },
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ];
}

/** Its address is a key: no cache keeps it, no other site is told. */
export function headers() {
  return {
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  };
}

export default function OrderRoute({ loaderData: { order, now }, params: { token } }: Route.ComponentProps) {
  const { shop } = useStorefront();
  if (!order) return <LinkMissing />;
  return (
    <FollowPage order={order} now={new Date(now)} shop={shop}>
      <Suspense>
        <ClaimsSection caller={{ link: token }} />
      </Suspense>
    </FollowPage>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
