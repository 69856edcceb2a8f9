import { TextAreaField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import { deleteSearchWords, saveSearchWords, type WordGroup } from '#contracts/console/search-words.ts';
import { useRequests } from '../../data/requests.ts';
import { type Deletion, type EditControls, EditDialog, EditEnd } from '../../form/edit-dialog.tsx';
import { checkWords } from './search-words-data.ts';

/** A new group may start with a word that was searched for. */
export type Subject = { kind: 'new'; word: string } | { kind: 'edit'; group: WordGroup };

type Props = { subject: Subject | null; onClose(): void; onChange(): void };

export function WordGroupDialog({ subject, onClose, onChange }: Props) {
  const { act } = useRequests();
  const group = subject?.kind === 'edit' ? subject.group : null;
  const deletion: Deletion | null = group && {
    title: 'Delete this group?',
    text: `Search will no longer treat these as the same: ${group.words.join(', ')}.`,
    done: 'Group deleted.',
    run: () => act(deleteSearchWords, { id: group.id, seen: group.updated_at }),
  };
  const title =
    subject?.kind === 'new' && subject.word ? `What does “${subject.word}” mean?` : 'Words that mean the same';
  return (
    <EditDialog open={subject !== null} title={title} deletion={deletion} onClose={onClose} onDeleted={onChange}>
      {(controls) =>
        subject && (
          <WordGroupForm
            key={subject.kind === 'edit' ? `${subject.group.id} ${subject.group.updated_at}` : subject.word}
            subject={subject}
            controls={controls}
            onSaved={onChange}
          />
        )
      }
    </EditDialog>
  );
}

type FormProps = { subject: Subject; controls: EditControls; onSaved(): void };

function WordGroupForm({ subject, controls, onSaved }: FormProps) {
  const { act } = useRequests();
  const group = subject.kind === 'edit' ? subject.group : null;
  const start = subject.kind === 'edit' ? subject.group.words.join(', ') : subject.word && `${subject.word}, `;
  const form = useSaveForm({
    start: { words: start },
    check: checkWords,
    save: ({ words }) => act(saveSearchWords, { words, id: group?.id ?? null, seen: group?.updated_at ?? null }),
    onSaved() {
      toast('success', 'Saved. Search uses it from now on.');
      onSaved();
      controls.close();
    },
  });
  return (
    <Form form={form}>
      <TextAreaField
        name="words"
        label="Words"
        hint="Separated by commas, in any script: barfi, burfi, बर्फी. One or two words each."
        maxLength={1000}
        rows={4}
      />
      <EditEnd controls={controls} isNew={group === null} />
    </Form>
  );
}
