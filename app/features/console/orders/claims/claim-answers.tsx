import { useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/fields.tsx';
import { Form, FormProblem } from '#app/ui/form.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { answerAsShop, type Claim } from '#contracts/console/claims.ts';
import { z } from '#contracts/z.ts';
import { type AnswerFacts, answerTemplates } from '#domain/claims/answer-templates.ts';
import { useRequests } from '../../data/requests.ts';
import { checkWith, text } from '../../form/inputs.ts';
import { moment } from '../order-words.ts';
import styles from './claim-page.module.css';

const start = { words: '' };
const check = checkWith(z.object({ words: text({ min: 1, max: 2000 }) }));

export const factsOf = (claim: Claim): AnswerFacts => ({
  ticket: claim.ticket,
  orderNumber: claim.order_number,
  items: claim.claimed.map(({ name }) => name).join(' and '),
});

/** The conversation, and an answer that begins with a template or with nothing. */
export function ClaimAnswers({ claim, reload }: { claim: Claim; reload(): unknown }) {
  const { act } = useRequests();
  // One for each answer: however often it is sent, it is one.
  const entryId = useRef(crypto.randomUUID());
  const form = useSaveForm({
    start,
    check,
    save: ({ words }) => act(answerAsShop, { claim_id: claim.id, words, entry_id: entryId.current }),
    onSaved() {
      entryId.current = crypto.randomUUID();
      form.reset(start);
      toast('success', claim.order.email ? 'Answer sent. The customer gets it by email, too.' : 'Answer saved.');
      reload();
    },
  });
  return (
    <Panel title="Conversation">
      <ol className={styles.messages}>
        {claim.messages.map(({ id, from_shop, by, words, at }) => (
          <li key={id} data-from-shop={from_shop || undefined}>
            <p className={styles.words}>{words}</p>
            <p className={styles.by}>
              {from_shop ? (by ?? 'The shop') : claim.customer} · {moment(at)}
            </p>
          </li>
        ))}
      </ol>
      <Form form={form}>
        <fieldset className={styles.templates} aria-label="Insert a text">
          {answerTemplates.map((template) => (
            <Button
              key={template.key}
              size="small"
              onClick={() => form.change({ words: template.text(factsOf(claim)) })}
            >
              {template.title}
            </Button>
          ))}
        </fieldset>
        <TextAreaField name="words" label="Answer to the customer" rows={5} maxLength={2000} />
        <div className={styles.actions}>
          <Button type="submit" isBusy={form.formState.isSubmitting}>
            Send answer
          </Button>
          <FormProblem />
        </div>
      </Form>
    </Panel>
  );
}
