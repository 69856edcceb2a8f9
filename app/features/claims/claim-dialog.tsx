import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { DialogActions, DialogBody } from '#app/ui/dialog.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { TextArea } from '#app/ui/input.tsx';
import { LeaveGuard } from '#app/ui/leave-guard.tsx';
import { Select } from '#app/ui/select.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import type { OrderClaims } from '#contracts/claims.ts';
import { type ClaimProblem, mostPhotos, mostWords, problemLabels, problemsFor } from '#domain/claims/claim.ts';
import { itemName } from './claim-words.ts';
import styles from './claims.module.css';
import type { ClaimsBackend } from './claims-backend.ts';
import { type ChosenPhoto, PhotoPicker } from './photo-picker.tsx';

type Choice = { quantity: number; problem: ClaimProblem | '' };

export type ClaimDialogProps = {
  open: boolean;
  order: OrderClaims;
  backend: ClaimsBackend;
  onClose(): void;
  /** A claim was made: its ticket is shown here, the page reads it again. */
  onMade(): void;
};

export function ClaimDialog({ open, onClose, ...form }: ClaimDialogProps) {
  const titleId = useId();
  return (
    <FormDialog open={open} onClose={onClose} labelledBy={titleId}>
      <DialogBody>
        <ClaimForm {...form} titleId={titleId} onClose={onClose} />
      </DialogBody>
    </FormDialog>
  );
}

type ClaimFormProps = Omit<ClaimDialogProps, 'open'> & { titleId: string };

function ClaimForm({ order, backend, titleId, onClose, onMade }: ClaimFormProps) {
  const id = useId();
  const entry = useRef(crypto.randomUUID());
  const problems = problemsFor(order.window.state, order.fulfilment);
  const open = order.items.filter(({ left }) => left > 0);
  const [chosen, setChosen] = useState<ReadonlyMap<number, Choice>>(new Map());
  const [words, setWords] = useState('');
  const [photos, setPhotos] = useState<ChosenPhoto[]>([]);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<{ ticket: string; unsent: number } | null>(null);

  const choose = (item: number, choice: Choice | null) => {
    const next = new Map(chosen);
    if (choice) next.set(item, choice);
    else next.delete(item);
    setChosen(next);
    setProblem('');
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const items = [...chosen].flatMap(([order_item_id, { quantity, problem: what }]) =>
      what ? [{ order_item_id, quantity, problem: what }] : [],
    );
    if (chosen.size === 0) return setProblem('Choose at least one item.');
    if (items.length < chosen.size) return setProblem('Say for each item what is wrong with it.');
    if (!words.trim()) return setProblem('Tell us in a sentence what happened.');
    setBusy(true);
    const opened = await backend.open({ items, words, entry: entry.current });
    if (!opened.ok) {
      setProblem(opened.message);
      setBusy(false);
      return;
    }
    let unsent = 0;
    for (const photo of photos) {
      const sent = await backend.addPhoto(opened.data.id, photo);
      if (!sent.ok) unsent += 1;
    }
    setBusy(false);
    setMade({ ticket: opened.data.ticket, unsent });
    onMade();
  }

  if (made) return <Made {...made} titleId={titleId} onClose={onClose} />;
  return (
    <form onSubmit={submit} noValidate aria-labelledby={titleId} className={styles.form}>
      <h2 id={titleId}>Report a problem</h2>
      <p className={styles.lead}>Order {order.number}. Choose what was wrong, and we’ll make it right.</p>
      <fieldset className={styles.items}>
        <legend>Which items?</legend>
        {open.map((item) => {
          const choice = chosen.get(item.order_item_id);
          const change = (changes: Partial<Choice>) => choice && choose(item.order_item_id, { ...choice, ...changes });
          const selectId = `${id}-${item.order_item_id}`;
          return (
            <div key={item.order_item_id} className={styles.item} data-chosen={choice ? true : undefined}>
              <Checkbox
                label={itemName(item)}
                checked={choice !== undefined}
                onChange={(event) =>
                  choose(
                    item.order_item_id,
                    event.target.checked
                      ? { quantity: item.left, problem: problems.length === 1 ? (problems[0] ?? '') : '' }
                      : null,
                  )
                }
              />
              {choice && (
                <div className={styles.choice}>
                  {item.left > 1 && (
                    <div className={styles.count}>
                      <span>How many of {item.left}</span>
                      <Stepper
                        value={choice.quantity}
                        min={1}
                        max={item.left}
                        label={`How many of ${item.name}`}
                        onChange={(quantity) => change({ quantity })}
                      />
                    </div>
                  )}
                  <Field id={selectId} label="What is wrong?">
                    <Select
                      {...controlProps({ id: selectId })}
                      value={choice.problem}
                      options={[
                        { value: '', label: 'Choose' },
                        ...problems.map((value) => ({ value, label: problemLabels[value] })),
                      ]}
                      onChange={(value) => change({ problem: value })}
                    />
                  </Field>
                </div>
              )}
            </div>
          );
        })}
      </fieldset>
      <Field id={`${id}-words`} label="What happened?">
        <TextArea
          {...controlProps({ id: `${id}-words` })}
          rows={3}
          maxLength={mostWords}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </Field>
      <fieldset className={styles.photosField}>
        <legend>Photos of the sweets and the box (optional)</legend>
        <PhotoPicker photos={photos} most={mostPhotos} onChange={setPhotos} />
      </fieldset>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <DialogActions>
        <Button onClick={onClose}>Go back</Button>
        <Button type="submit" variant="primary" isBusy={busy}>
          {busy ? 'Sending…' : 'Send report'}
        </Button>
      </DialogActions>
      <LeaveGuard isChanged={!busy && (chosen.size > 0 || words !== '' || photos.length > 0)} />
    </form>
  );
}

function Made({
  ticket,
  unsent,
  titleId,
  onClose,
}: {
  ticket: string;
  unsent: number;
  titleId: string;
  onClose(): void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 id={titleId} ref={heading} tabIndex={-1}>
        Your ticket: {ticket}
      </h2>
      <p>We’re sorry. We’ll answer within 48 hours, here and by email.</p>
      {unsent > 0 && (
        <p className={styles.problem}>
          {unsent === 1 ? 'One photo' : `${unsent} photos`} couldn’t be sent. Add {unsent === 1 ? 'it' : 'them'} to your
          ticket below.
        </p>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  );
}
