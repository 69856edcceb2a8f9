import { payGroup } from '#app/features/checkout/pay-group.ts';
import { GroupPage } from '#app/features/groups/group-page.tsx';
import { shopContext } from '#app/shop-context.ts';
import type { Route } from './+types/group.ts';
import { useStorefront } from './layout.tsx';
import { PageTrouble } from './page-trouble.tsx';

export function loader({ context }: Route.LoaderArgs) {
  return { canonical: `${context.get(shopContext).siteUrl}/gifts/group` };
}

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [
    { title: `Send to many · ${shopName}` },
    {
      name: 'description',
      content:
        'Sweets for the whole office or family: one sheet of up to 500 recipients, one payment, a card in each box.',
    },
    ...(loaderData ? [{ tagName: 'link', rel: 'canonical', href: loaderData.canonical }] : []),
  ];
}

export default function GroupRoute() {
  const { shop } = useStorefront();
  return <GroupPage shopName={shop.name} pay={payGroup} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
