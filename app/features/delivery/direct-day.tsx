import { useSession } from '#app/backend/session.tsx';
import { chooseDayOf, useChosenDay } from './chosen-day.ts';
import DayChoice from './day-choice.tsx';
import { useAddressPincode } from './use-delivery-check.ts';

export type DirectDayProps = {
  productId: number;
  /** The pincode that was asked about, and the earliest day for it. */
  pincode: string;
  earliest: string;
};

/** The day of what is bought at once. A customer's parcel goes to the address of the profile, whatever was asked about. */
export function DirectDay({ productId, pincode, earliest }: DirectDayProps) {
  const session = useSession();
  const address = useAddressPincode(session, true) || pincode;
  const chosen = useChosenDay(productId);
  return (
    <DayChoice
      label="Delivery day if bought now"
      pincode={address}
      productIds={[productId]}
      earliest={address === pincode ? earliest : null}
      chosen={chosen}
      onChoose={(day) => chooseDayOf(productId, day)}
    />
  );
}
