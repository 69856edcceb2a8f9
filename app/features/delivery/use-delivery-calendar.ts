import { useCallback, useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { useSession } from '#app/backend/session.tsx';
import { type DeliveryCalendar, parseDeliveryCalendar } from '#domain/delivery/delivery-calendar.ts';

export type LoadedCalendar = {
  /** null while it loads, or when it could not be read. */
  calendar: DeliveryCalendar | null;
  hasFailed: boolean;
  retry(): void;
};

/** The days that can be chosen for these sweets at this pincode. */
export function useDeliveryCalendar(pincode: string, productIds: readonly number[]): LoadedCalendar {
  const { config } = useSession();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ question: string; calendar: DeliveryCalendar | null } | null>(null);
  const path = `rpc/delivery_calendar?pincode=${pincode}&product_ids={${productIds.join(',')}}`;
  const question = `${attempt} ${path}`;
  useEffect(() => {
    let gone = false;
    readAsVisitor(config, path)
      .catch(() => null)
      .then((answer) => {
        if (!gone) setLoaded({ question, calendar: parseDeliveryCalendar(answer) });
      });
    return () => {
      gone = true;
    };
  }, [config, path, question]);
  const current = loaded?.question === question ? loaded : null;
  return {
    calendar: current?.calendar ?? null,
    hasFailed: current !== null && current.calendar === null,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}
