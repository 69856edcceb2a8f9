import { type KeyboardEvent, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Field, type FormState } from '#app/ui/form.tsx';
import { listCustomerChoices } from '#contracts/console/customers.ts';
import { useAnswer } from '../data/requests.ts';

import styles from './tag-field.module.css';
import { longestTag, mostTags, tagsIn } from './tags.ts';

type TagFieldProps = { form: FormState<{ notes: string; tags: string }>; name: 'tags'; label: string };

/** Tags as chips, and a field to add one: those in use elsewhere are suggested. */
export function TagField({ form, name, label }: TagFieldProps) {
  const [typed, setTyped] = useState('');
  const { loaded } = useAnswer(listCustomerChoices, {});
  const id = form.idOf(name);
  const tags = tagsIn(form.values[name]);
  const known = loaded.state === 'ready' ? loaded.value.tags : [];

  function keep(next: readonly string[]) {
    form.set(name, next.join(', '));
  }
  function add() {
    keep(tagsIn([...tags, typed].join(',')));
    setTyped('');
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === ',' || (event.key === 'Enter' && typed.trim() !== '')) {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) keep(tags.slice(0, -1));
  }

  return (
    <Field form={form} name={name} label={label}>
      {tags.length > 0 && (
        <ul className={styles.tags}>
          {tags.map((tag) => (
            <li key={tag}>
              {tag}
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                onClick={() => keep(tags.filter((other) => other !== tag))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {tags.length < mostTags && (
        <div className={styles.adding}>
          <input
            id={id}
            name={name}
            list={`${id}-known`}
            value={typed}
            maxLength={longestTag}
            autoComplete="off"
            placeholder="regular, bulk, office…"
            aria-describedby={form.errors[name] ? `${id}-error` : undefined}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => typed.trim() !== '' && add()}
          />
          <button type="button" className={buttons.small} onClick={add} disabled={typed.trim() === ''}>
            Add
          </button>
        </div>
      )}
      <datalist id={`${id}-known`}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </Field>
  );
}
