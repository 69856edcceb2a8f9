import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { Order, OrderMail } from '#contracts/console/order.ts';
import { resendMail } from '#contracts/console/order-work.ts';
import { useRequests } from '../../data/requests.ts';
import { mailTitle, moment } from '../order-words.ts';
import styles from './order-mails.module.css';

/** What the customer was told by mail, and telling it again. */
export function OrderMails({ order, reload }: { order: Order; reload(): void }) {
  const { act } = useRequests();
  const [busy, setBusy] = useState<string | null>(null);
  const canSend = order.customer?.email != null;

  async function resend(mail: OrderMail) {
    if (busy) return;
    setBusy(mail.key);
    const outcome = await act(resendMail, { order_id: order.id, mail_key: mail.key });
    setBusy(null);
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', `Sending “${mailTitle(mail.template)}” again.`);
    reload();
  }

  return (
    <Panel title="Emails">
      {!canSend && <p className={styles.none}>No email address for this customer.</p>}
      {canSend && (
        <ul className={styles.mails}>
          {order.mails.map((mail) => (
            <li key={mail.key}>
              <div>
                <p className={styles.title}>{mailTitle(mail.template)}</p>
                {mail.sendings.length === 0 && <p>{noRecord(mail)}</p>}
                {mail.sendings.map((sending) => (
                  <p key={sending.queued_at} data-state={sending.state}>
                    {sendingWords(sending)}
                  </p>
                ))}
              </div>
              <button
                type="button"
                className={buttons.small}
                aria-busy={busy === mail.key}
                onClick={() => resend(mail)}
              >
                Resend <span className="visually-hidden">“{mailTitle(mail.template)}”</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Mails that went out are kept in mind for 30 days. */
const noRecord = ({ due_at }: OrderMail) =>
  Date.parse(due_at) < Date.now() - keptMs ? `Due ${moment(due_at)}; records are kept for 30 days` : 'Not sent';

function sendingWords({ state, queued_at, done_at, problem }: OrderMail['sendings'][number]): string {
  if (state === 'sent') return `Sent ${moment(done_at ?? queued_at)}`;
  if (state === 'queued') return `Queued ${moment(queued_at)}`;
  return `${state === 'retrying' ? 'Failed, trying again soon' : 'Not sent'}: ${problem}`;
}
