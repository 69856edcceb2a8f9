import { type FormEvent, useRef, useState } from 'react';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { indianStates, unionTerritories } from '#domain/indian-states.ts';
import { addressWarning } from '#domain/profile.ts';
import { type FieldErrors, fieldErrors, longest, type ProfileFields, tidied } from './profile-fields.ts';
import styles from './profile-form.module.css';

export const profileSaved = 'Profile updated successfully!';
export const profileNotSaved = 'Failed to update profile.';

type FieldName = keyof ProfileFields;

/** The page that the address was missing on. */
export type WayBack = { to: string; label: string };

export type ProfileFormProps = {
  email: string;
  stored: ProfileFields;
  wayBack: WayBack | null;
  /** False when it could not be stored. */
  save(fields: ProfileFields): Promise<boolean>;
};

export function ProfileForm({ email, stored, wayBack, save }: ProfileFormProps) {
  const [fields, setFields] = useState(stored);
  const [kept, setKept] = useState(stored);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [outcome, setOutcome] = useState<{ count: number; ok: boolean } | null>(null);
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function change(name: FieldName, value: string) {
    const next = { ...fields, [name]: value };
    setFields(next);
    // A field that was refused is looked at again while it is mended; the others only when it is saved.
    if (errors[name]) setErrors({ ...errors, [name]: fieldErrors(tidied(next))[name] });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (saving) return;
    const next = tidied(fields);
    const found = fieldErrors(next);
    setFields(next);
    setErrors(found);
    const wrong = (Object.keys(longest) as FieldName[]).find((name) => found[name]);
    if (wrong) {
      setOutcome(null);
      (form.current?.elements.namedItem(wrong) as HTMLElement | null)?.focus();
      return;
    }
    setSaving(true);
    const ok = await save(next);
    setSaving(false);
    if (ok) setKept(next);
    setOutcome((before) => ({ count: (before?.count ?? 0) + 1, ok }));
  }

  const input = (name: FieldName, label: string, autoComplete: string, more: React.ComponentProps<'input'> = {}) => (
    <Field label={label} className={classOf(name)} {...notesOf(name, errors)}>
      <input
        {...controlProps(notesOf(name, errors))}
        name={name}
        autoComplete={autoComplete}
        maxLength={longest[name]}
        value={fields[name]}
        onChange={(event) => change(name, event.target.value)}
        {...more}
      />
    </Field>
  );

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <AddressNotice fields={kept} />
      {input('fullName', 'Full name', 'name')}
      <Field label="Email" className={styles.field} {...emailNotes}>
        <input {...controlProps(emailNotes)} type="email" value={email} readOnly />
      </Field>
      {input('phone', 'Phone', 'tel', { type: 'tel', inputMode: 'tel' })}
      <h3 className={styles.group}>Delivery address</h3>
      {input('buildingNo', 'Building or apartment', 'address-line1')}
      {input('street', 'Street', 'address-line2')}
      {input('city', 'City', 'address-level2')}
      <Field label="State" className={classOf('state')} {...notesOf('state', errors)}>
        <StateSelect value={fields.state} onChange={(state) => change('state', state)} errors={errors} />
      </Field>
      {input('zip', 'ZIP (pincode)', 'postal-code', { inputMode: 'numeric' })}
      <div className={styles.done}>
        <Button type="submit" variant="primary" isBusy={saving}>
          Save Changes
        </Button>
        {outcome && !saving && (
          <p key={outcome.count} role="alert" className={styles.outcome} data-failed={!outcome.ok || undefined}>
            {outcome.ok ? profileSaved : profileNotSaved}
          </p>
        )}
        {outcome?.ok && wayBack && !saving && addressWarning(kept) === null && (
          <ButtonLink to={wayBack.to}>{wayBack.label}</ButtonLink>
        )}
      </div>
    </form>
  );
}

/** Always there, so that nothing moves when an address becomes complete. */
function AddressNotice({ fields }: { fields: ProfileFields }) {
  const warning = addressWarning(fields);
  return (
    <p className={styles.notice} data-incomplete={warning !== null || undefined}>
      <strong>{warning ?? 'Ready for delivery'}</strong>{' '}
      <span>{warning ? 'so we can deliver.' : `to ${fields.city} ${fields.zip}.`}</span>
    </p>
  );
}

const emailNotes = { id: 'profile-email', hint: 'From the account you sign in with.' };
const fieldNames = ['fullName', 'email', 'phone', 'buildingNo', 'street', 'city', 'state', 'zip'] as const;
/** Half as wide as the form where there is room. */
const halves: readonly string[] = ['phone', 'city', 'state', 'zip'];

const classOf = (name: string) => (halves.includes(name) ? `${styles.field} ${styles.half}` : `${styles.field}`);
const notesOf = (name: FieldName, errors: FieldErrors) => ({ id: `profile-${name}`, error: errors[name] });

type StateSelectProps = { value: string; errors: FieldErrors; onChange(state: string): void };

function StateSelect({ value, errors, onChange }: StateSelectProps) {
  const known: readonly string[] = [...indianStates, ...unionTerritories];
  const options = (names: readonly string[]) => names.map((name) => <option key={name}>{name}</option>);
  return (
    <select
      {...controlProps(notesOf('state', errors))}
      name="state"
      autoComplete="address-level1"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">Choose a state</option>
      {/* What was stored before stays, even if no list knows it. */}
      {value !== '' && !known.includes(value) && <option>{value}</option>}
      <optgroup label="States">{options(indianStates)}</optgroup>
      <optgroup label="Union territories">{options(unionTerritories)}</optgroup>
    </select>
  );
}

export function ProfileFormSkeleton() {
  return (
    <div className={styles.form} aria-busy="true">
      <p className="visually-hidden">Loading your profile…</p>
      <Skeleton className={styles.noticeToCome} />
      {fieldNames.map((name) => (
        <Skeleton
          key={name}
          className={halves.includes(name) ? `${styles.fieldToCome} ${styles.half}` : styles.fieldToCome}
        />
      ))}
    </div>
  );
}
