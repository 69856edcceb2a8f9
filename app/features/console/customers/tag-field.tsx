import { type KeyboardEvent, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';
import { useField } from '#app/ui/fields.tsx';
import { Input } from '#app/ui/input.tsx';
import { listCustomerChoices } from '#contracts/console/customers.ts';
import { useShopQuery } from '../data/shop-query.ts';

import styles from './tag-field.module.css';
import { longestTag, mostTags, tagsIn } from './tags.ts';

/** Tags as chips, and a field to add one: those in use elsewhere are suggested. */
export function TagField({ name, label }: { name: string; label: string }) {
  const [typed, setTyped] = useState('');
  const { data } = useShopQuery(listCustomerChoices, {});
  const { notes, control } = useField(name);
  const { value, onChange, ...input } = control;
  const tags = tagsIn(value);
  const known = data?.tags ?? [];

  function keep(next: readonly string[]) {
    onChange(next.join(', '));
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
    <Field label={label} {...notes}>
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
          <Input
            {...input}
            list={`${input.id}-known`}
            value={typed}
            maxLength={longestTag}
            placeholder="regular, bulk, office…"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => typed.trim() !== '' && add()}
          />
          <Button size="small" onClick={add} disabled={typed.trim() === ''}>
            Add
          </Button>
        </div>
      )}
      <datalist id={`${input.id}-known`}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </Field>
  );
}
