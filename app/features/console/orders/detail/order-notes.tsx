import { useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/fields.tsx';
import { Form, FormProblem } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import type { Order } from '#contracts/console/order.ts';
import { addOrderNote } from '#contracts/console/order-work.ts';
import { z } from '#contracts/z.ts';
import { useRequests } from '../../data/requests.ts';
import { checkWith, text } from '../../form/inputs.ts';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { moment } from '../order-words.ts';
import styles from './order-notes.module.css';

const start = { note: '' };
const check = checkWith(z.object({ note: text({ min: 1, max: 2000 }) }));

/** What we tell each other about an order; customers never see it. */
export function OrderNotes({ orderId, notes, reload }: { orderId: string; notes: Order['notes']; reload(): void }) {
  const { act } = useRequests();
  const panel = useRef<HTMLDivElement>(null);
  // One for each note: however often it is sent, it is one.
  const entryId = useRef(crypto.randomUUID());
  const form = useSaveForm({
    start,
    check,
    save: ({ note }) => act(addOrderNote, { order_id: orderId, note, entry_id: entryId.current }),
    onSaved() {
      entryId.current = crypto.randomUUID();
      form.reset(start);
      reload();
    },
  });
  useShortcut('t', 'Add a note', () => panel.current?.querySelector('textarea')?.focus());

  return (
    <Panel title="Internal notes">
      <div ref={panel} className={styles.notes}>
        <Form form={form}>
          <TextAreaField name="note" label="New note" rows={2} maxLength={2000} />
          <div className={styles.end}>
            <Button type="submit" size="small" isBusy={form.formState.isSubmitting}>
              Add note
            </Button>
            <FormProblem />
          </div>
        </Form>
        {notes.length > 0 && (
          <ul>
            {notes.map(({ id, note, by, at }) => (
              <li key={id}>
                <p className={styles.text}>{note}</p>
                <p className={styles.by}>
                  {by ?? 'Someone'} · {moment(at)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
