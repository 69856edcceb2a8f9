import type { ShopClient } from '#app/backend/client.ts';
import { ReminderChoice } from '#app/parts/reminder-choice/reminder-choice.tsx';
import styles from './address-book.module.css';

/** Below the address book: reminders of last year's gifts. */
export default function GiftReminders({ client }: { client(): Promise<ShopClient> }) {
  return (
    <section className={styles.book} aria-labelledby="gift-reminders">
      <h3 id="gift-reminders">Festival reminders</h3>
      <ReminderChoice client={client} source="profile" />
    </section>
  );
}
