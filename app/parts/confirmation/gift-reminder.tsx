import type { ShopClient } from '#app/backend/client.ts';
import { ReminderChoice } from '#app/parts/reminder-choice/reminder-choice.tsx';
import { Part } from './placed.tsx';

/** After a gift was sent: whether to be reminded of it next year. */
export default function GiftReminder({ client }: { client(): Promise<ShopClient> }) {
  return (
    <Part title="Send gifts every year?">
      <ReminderChoice client={client} source="order" />
    </Part>
  );
}
