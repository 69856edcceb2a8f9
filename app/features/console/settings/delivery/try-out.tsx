import { useEffect, useId, useRef, useState } from 'react';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Field } from '#app/ui/field.tsx';
import { Input } from '#app/ui/input.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { type DeliverySettings, tryDelivery } from '#contracts/console/delivery.ts';
import type { ResultOf } from '#contracts/contract.ts';
import { closedSentence, inCart } from '#domain/delivery/delivery-messages.ts';
import { readPincode } from '#domain/delivery/pincode.ts';
import { fromIndiaClock, toIndiaClock } from '#domain/greetings/india-clock.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import styles from './delivery-tab.module.css';

/** Shows what customers at a pincode see at a given time, to check a closure or a new zone. */
export function TryOut({ settings }: { settings: DeliverySettings }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [moment, setMoment] = useState(() => toIndiaClock(Date.now()));
  const read = readPincode(typed);
  const at = fromIndiaClock(moment);
  const asked = read.ok && at !== null ? { pincode: read.pincode, at: new Date(at).toISOString() } : null;
  const { data, isLoadingError, refetch } = useTried(asked, settings);
  return (
    <Panel title="Check a pincode">
      <div className={styles.fields}>
        <Field id={`${id}-pincode`} label="Pincode">
          <Input
            id={`${id}-pincode`}
            inputMode="numeric"
            placeholder="400028"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Field id={`${id}-moment`} label="Ordered at (India)">
          <Input
            id={`${id}-moment`}
            type="datetime-local"
            value={moment}
            onChange={(event) => setMoment(event.target.value)}
          />
        </Field>
      </div>
      <div className={styles.answer} role="status" aria-label="What customers see">
        {typed === '' ? (
          <>
            <Facts
              items={['Zone', 'Ships on', 'Arrives by', 'Delivery charge for 500 g'].map((label) => [label, '–'])}
            />
            <p className={styles.quiet}>Enter a pincode to see what customers there are shown.</p>
          </>
        ) : !read.ok ? (
          <p className={styles.wrong}>{read.sentence}</p>
        ) : at === null ? (
          <p className={styles.wrong}>Choose a date and time.</p>
        ) : isLoadingError ? (
          <FailedState retry={refetch} />
        ) : (
          data && <Told tried={data} pincode={read.pincode} />
        )}
      </div>
    </Panel>
  );
}

type Asked = { pincode: string; at: string };

/** Asked again when the settings change: that is what it is for. */
function useTried(asked: Asked | null, { updated_at, zones, closures }: DeliverySettings) {
  const seen = useRef('');
  const tried = useShopQuery(tryDelivery, asked);
  const now = [updated_at, ...[...zones, ...closures].map((row) => `${row.id} ${row.updated_at}`)].join();
  const { refetch } = tried;
  useEffect(() => {
    if (seen.current !== '' && seen.current !== now) void refetch();
    seen.current = now;
  }, [now, refetch]);
  return tried;
}

function Told({ tried, pincode }: { tried: ResultOf<typeof tryDelivery>; pincode: string }) {
  if (!tried.ok)
    return (
      <p>
        {tried.reason === 'outside-zones' ? `${pincode} is in no zone, so we don’t deliver there.` : closedSentence}
      </p>
    );
  const { zone, leaves_on, arrives_on, spoiled } = tried;
  return (
    <>
      <Facts
        items={[
          ['Zone', zone],
          ['Ships on', formatCalendarDay(leaves_on)],
          ['Arrives by', <strong key="day">{formatCalendarDay(arrives_on)}</strong>],
          ['Delivery charge for 500 g', chargeWords(tried)],
        ]}
      />
      <p className={styles.quiet}>
        {spoiled.length === 0
          ? 'Everything arrives fresh.'
          : `Can’t be sent there, because less than a third of the shelf life would be left: ${listed(spoiled.map(({ product }) => product))}.`}
      </p>
    </>
  );
}

function chargeWords({
  charge_paise,
  cart_charge_paise,
  cart_flat_below_grams,
}: Extract<ResultOf<typeof tryDelivery>, { ok: true }>) {
  return `${formatPaise(charge_paise)} with Buy now, ${formatPaise(cart_charge_paise)} ${inCart(cart_flat_below_grams)}`;
}

function listed(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 7).join(', ')} and ${names.length - 7} more` : names.join(', ');
}
