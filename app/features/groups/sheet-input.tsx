import { type ChangeEvent, useId, useState } from 'react';
import { keep } from '#app/backend/files.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { TextArea } from '#app/ui/input.tsx';
import { decodeSheet, tooLarge } from '#domain/groups/decode-sheet.ts';
import { readSheet, sheetTemplate } from '#domain/groups/read-sheet.ts';
import { maxRecipients, type RecipientFields } from '#domain/groups/recipient.ts';
import styles from './sheet-input.module.css';

export type SheetInputProps = {
  count: number;
  onRead(recipients: RecipientFields[]): void;
  onAddOne(): void;
};

type Note = { kind: 'problem' | 'notice'; text: string };

/** The ways in: a file, cells that are pasted, or by hand. What cannot be read says why, and changes nothing. */
export function SheetInput({ count, onRead, onAddOne }: SheetInputProps) {
  const [note, setNote] = useState<Note | null>(null);
  const [isPasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState('');
  const ids = useId();
  const cells = {
    id: `${ids}-cells`,
    label: 'Cells from your spreadsheet',
    hint: 'Select the rows with their headings, copy, and paste them here.',
  };

  function take(text: string, notice: string | null): boolean {
    const sheet = readSheet(text);
    if (!sheet.ok) {
      setNote({ kind: 'problem', text: sheet.message });
      return false;
    }
    if (count + sheet.recipients.length > maxRecipients) {
      setNote({
        kind: 'problem',
        text: `That would be ${count + sheet.recipients.length} recipients. One order can have ${maxRecipients}.`,
      });
      return false;
    }
    const ignored =
      sheet.ignoredHeadings.length > 0 ? `We left out the columns ${sheet.ignoredHeadings.join(', ')}. ` : '';
    const added = sheet.recipients.length === 1 ? '1 recipient added.' : `${sheet.recipients.length} recipients added.`;
    setNote({ kind: 'notice', text: `${added} ${ignored}${notice ?? ''}`.trim() });
    onRead(sheet.recipients);
    return true;
  }

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    const large = tooLarge(file.size);
    if (large) return setNote({ kind: 'problem', text: `${file.name}: ${large}` });
    try {
      const decoded = decodeSheet(new Uint8Array(await file.arrayBuffer()));
      if (decoded.ok) take(decoded.text, decoded.notice);
      else setNote({ kind: 'problem', text: `${file.name}: ${decoded.message}` });
    } catch {
      setNote({ kind: 'problem', text: `${file.name} couldn’t be opened. Please choose it again.` });
    }
  }

  return (
    <div className={styles.ways}>
      <div className={styles.buttons}>
        <label className={buttonClass({}, styles.file)}>
          Upload a sheet
          <input type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={choose} />
        </label>
        <Button aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
          Paste cells
        </Button>
        <Button onClick={onAddOne} disabled={count >= maxRecipients}>
          Type one in
        </Button>
        <Button
          variant="text"
          onClick={() => keep(new Blob([sheetTemplate()], { type: 'text/csv' }), 'recipients-template.csv')}
        >
          Download template
        </Button>
      </div>
      {isPasting && (
        <div className={styles.paste}>
          <Field {...cells}>
            <TextArea
              {...controlProps(cells)}
              rows={5}
              autoFocus
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </Field>
          <Button
            variant="primary"
            disabled={pasted.trim() === ''}
            onClick={() => {
              if (!take(pasted, null)) return;
              setPasted('');
              setPasting(false);
            }}
          >
            Add these recipients
          </Button>
        </div>
      )}
      <p className={styles.note} role={note?.kind === 'problem' ? 'alert' : 'status'} data-kind={note?.kind}>
        {note?.text}
      </p>
    </div>
  );
}
