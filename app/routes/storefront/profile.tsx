import { useLocation } from 'react-router';
import { AccountPage } from '#app/features/account/account-page.tsx';
import { accountTabFrom, linkedOrderFrom } from '#app/features/account/account-tabs.tsx';
import type { Route } from './+types/profile.ts';
import { useStorefront } from './layout.tsx';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Profile · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export default function ProfileRoute() {
  const query = new URLSearchParams(useLocation().search);
  const { shop } = useStorefront();
  return (
    <main>
      <h1 className="visually-hidden">Your profile at {shop.name}</h1>
      <noscript>
        <p className="lonely-page">
          Your profile and your orders are loaded by JavaScript: please turn it on to see them.
        </p>
      </noscript>
      <AccountPage tab={accountTabFrom(query)} linkedOrder={linkedOrderFrom(query)} shop={shop} />
    </main>
  );
}
