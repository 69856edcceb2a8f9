import { lazy, type ReactNode, Suspense, useCallback } from 'react';
import { supabase } from '#app/backend/client.ts';
import { type SignedIn, useSession } from '#app/backend/session.tsx';
import type { PublicConfig } from '#app/shop-context.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import type { ShopFacts } from '#domain/shop/shop-facts.ts';
import { loadProfile, saveProfile } from './account-data.ts';
import styles from './account-page.module.css';
import { type AccountTab, AccountTabs } from './account-tabs.tsx';
import type { OrderToBuy } from './order-again.ts';
import { cancelOrder } from './order-data.ts';
import type { PastOrder } from './order-history.ts';
import { OrderList, OrderListSkeleton } from './order-list.tsx';
import { ProfileForm, ProfileFormSkeleton, type WayBack } from './profile-form.tsx';
import type { GiftToSend } from './send-again.ts';
import { SessionList } from './session-list.tsx';
import { SignInPrompt } from './sign-in-prompt.tsx';
import { useLoaded } from './use-loaded.ts';
import { useOrderHistory } from './use-order-history.ts';

// Below the form, which most people come for.
const AddressBook = lazy(() => import('./address-book.tsx'));
const YourData = lazy(() => import('./your-data.tsx'));

export type AccountPageProps = {
  tab: AccountTab;
  /** The order that a link leads to. */
  linkedOrder: string | null;
  shop: ShopFacts;
  /** Where the address is needed; null where it is not known. */
  wayBack: WayBack | null;
  /** Puts what is still sold of an order into the cart. */
  orderAgain(bought: OrderToBuy, order: PastOrder): void;
  /** Puts a gift into the cart once more, with its recipient and card. */
  sendAgain(gift: GiftToSend, order: PastOrder): Promise<boolean>;
  /** Reporting a problem with an order. */
  claims(orderId: string): ReactNode;
};

const checkConnection = 'Check your connection and try again.';

/** The same for everybody until the browser knows who is there. */
export function AccountPage(props: AccountPageProps) {
  const { tab } = props;
  const { config, who, state } = useSession();
  if (who) return <Account key={who.id} {...props} config={config} who={who} />;
  if (state === 'visitor') return <SignInPrompt />;
  if (state === 'unreachable')
    return (
      <div className={styles.alone}>
        <FailedState
          title="We can’t reach sign-in right now."
          text={checkConnection}
          retry={() => window.location.reload()}
        />
      </div>
    );
  return (
    <AccountFrame
      tab={tab}
      who={null}
      orderCount={null}
      profile={<ProfileFormSkeleton />}
      orders={<OrderListSkeleton />}
    />
  );
}

type AccountProps = AccountPageProps & { config: PublicConfig; who: SignedIn };

function Account(props: AccountProps) {
  const { tab, linkedOrder, shop, wayBack, orderAgain, sendAgain, claims, config, who } = props;
  const client = useCallback(() => supabase(config), [config]);
  const loadMyProfile = useCallback(async () => loadProfile(await client(), who.id), [client, who.id]);
  const profile = useLoaded(loadMyProfile);
  const orders = useOrderHistory(client, who.id, linkedOrder);

  return (
    <AccountFrame
      tab={tab}
      who={who}
      orderCount={orders.loaded.state === 'ready' ? orders.loaded.value.count : null}
      profile={
        profile.loaded.state === 'loading' ? (
          <ProfileFormSkeleton />
        ) : profile.loaded.state === 'failed' ? (
          <FailedState title="We couldn’t load your profile." text={checkConnection} retry={profile.reload} />
        ) : (
          <>
            <ProfileForm
              email={who.email}
              stored={profile.loaded.value}
              wayBack={wayBack}
              save={async (fields) => saveProfile(await client(), who.id, fields)}
            />
            <Suspense>
              <AddressBook client={client} userId={who.id} />
            </Suspense>
            <SessionList client={client} />
            <Suspense>
              <YourData client={client} shop={shop} sendsMessages={config.sendsMessages === true} />
            </Suspense>
          </>
        )
      }
      orders={
        orders.loaded.state === 'loading' ? (
          <OrderListSkeleton />
        ) : orders.loaded.state === 'failed' ? (
          <FailedState title="We couldn’t load your orders." text={checkConnection} retry={orders.reload} />
        ) : (
          <OrderList
            history={orders.loaded.value}
            news={orders.news}
            linkedOrder={linkedOrder}
            shop={shop}
            orderAgain={orderAgain}
            sendAgain={sendAgain}
            claims={claims}
            client={client}
            userId={who.id}
            cancel={async (orderId) => cancelOrder(await client(), orderId)}
            refresh={orders.refresh}
            showOlder={orders.showOlder}
          />
        )
      }
    />
  );
}

type AccountFrameProps = {
  tab: AccountTab;
  who: SignedIn | null;
  orderCount: number | null;
  profile: ReactNode;
  orders: ReactNode;
};

function AccountFrame({ tab, who, orderCount, profile, orders }: AccountFrameProps) {
  return (
    <div className={styles.account}>
      <aside className={styles.sidebar} aria-label="Your account">
        <div className={styles.person}>
          {who ? (
            <>
              <Avatar name={who.name} url={who.avatarUrl} size={64} />
              <div>
                <p className={styles.name}>{who.name}</p>
                <p className={styles.email}>{who.email}</p>
              </div>
            </>
          ) : (
            <>
              <Skeleton className={styles.avatarToCome} />
              <div>
                <p className={styles.name}>
                  <Skeleton className={styles.nameToCome} />
                </p>
                <p className={styles.email}>
                  <Skeleton className={styles.emailToCome} />
                </p>
              </div>
            </>
          )}
        </div>
        <AccountTabs tab={tab} orderCount={orderCount} />
      </aside>
      {/* Both stay mounted: looking at an order must not lose what was typed. */}
      <section role="tabpanel" id="profile-panel" aria-labelledby="profile-tab" hidden={tab !== 'profile'}>
        <h2 className={styles.title}>Profile</h2>
        {/* Rendered on the server, and larger than what comes later: the largest paint waits for no script. */}
        <p className={styles.lead}>We deliver to this address. The courier calls this number if they can’t find you.</p>
        {profile}
      </section>
      <section role="tabpanel" id="orders-panel" aria-labelledby="orders-tab" hidden={tab !== 'orders'}>
        <h2 className={styles.title}>Order History</h2>
        {orders}
      </section>
    </div>
  );
}
