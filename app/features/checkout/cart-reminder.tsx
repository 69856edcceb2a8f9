import type { ShopClient } from '#app/backend/client.ts';
import { ReminderChoice, type ReminderWords } from '#app/parts/reminder-choice/reminder-choice.tsx';

const words: ReminderWords = {
  purpose: 'cart-reminders',
  label: 'Email me once if I don’t finish paying',
  hint: 'One email after an hour, with a link to this cart. You can turn it off in your profile.',
};

/** Below the checkout, once: whether to be reminded of it. */
export default function CartReminder({ client }: { client(): Promise<ShopClient> }) {
  return <ReminderChoice client={client} source="checkout" of={words} isAskedOnce />;
}
