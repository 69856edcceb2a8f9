export type Courier = {
  name: string;
  /** An https address with {tracking} where the number goes; empty: no tracking page. */
  trackingPattern: string;
};

/** As private.is_tracking_pattern has it: {tracking} stands once, behind the host. */
export function isTrackingPattern(pattern: string): boolean {
  return (
    pattern.length <= 300 &&
    /^https:\/\/[a-zA-Z0-9.-]+(:\d{1,5})?\/[^\\\s<>"{}]*\{tracking\}[^\\\s<>"{}]*$/.test(pattern)
  );
}

/** The tracking page of a parcel; empty where the courier has none, is not known, or there is no number. */
export function trackingLink(couriers: readonly Courier[], courier: string, trackingNumber: string): string {
  const wanted = courier.trim().toLowerCase();
  const number = trackingNumber.trim();
  const pattern = couriers.find(({ name }) => name.toLowerCase() === wanted)?.trackingPattern ?? '';
  if (number === '' || !isTrackingPattern(pattern)) return '';
  return pattern.replace('{tracking}', () => encodeURIComponent(number));
}

/**
 * The link to fill in when the courier or the number changed. Typed text stays: only an empty field, and a link
 * that was filled in for the earlier values, is replaced.
 */
export function refilledLink(couriers: readonly Courier[], before: Omit<Parcel, 'link'>, now: Parcel): string {
  const wasFilled = now.link === trackingLink(couriers, before.courier, before.number);
  return now.link.trim() === '' || wasFilled ? trackingLink(couriers, now.courier, now.number) : now.link;
}

export type Parcel = { courier: string; number: string; link: string };
