import type { ShopClient } from '#app/backend/client.ts';
import { ReminderChoice } from '#app/parts/reminder-choice/reminder-choice.tsx';
import styles from './confirmation-page.module.css';

/** After a gift was sent: whether to be reminded of it next year. */
export default function GiftReminder({ client }: { client(): Promise<ShopClient> }) {
  return (
    <section className={styles.part} aria-labelledby="placed-reminder">
      <h2 id="placed-reminder">Send gifts every year?</h2>
      <ReminderChoice client={client} source="order" />
    </section>
  );
}
