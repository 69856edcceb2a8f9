import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button, ButtonLink } from '#app/ui/button.tsx';
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
    <Field name={name} label={label} error={errors[name]}>
      <input
        {...fieldProps(name, errors)}
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
      <Field name="email" label="Email" hint="From the account you sign in with.">
        <input id="profile-email" type="email" value={email} readOnly aria-describedby="profile-email-hint" />
      </Field>
      {input('phone', 'Phone', 'tel', { type: 'tel', inputMode: 'tel' })}
      <h3 className={styles.group}>Delivery address</h3>
      {input('buildingNo', 'Building or apartment', 'address-line1')}
      {input('street', 'Street', 'address-line2')}
      {input('city', 'City', 'address-level2')}
      <Field name="state" label="State" error={errors.state}>
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

type FieldProps = { name: string; label: string; error?: string | undefined; hint?: string; children: ReactNode };

function Field({ name, label, error, hint, children }: FieldProps) {
  return (
    <div className={styles.field} data-field={name}>
      <label htmlFor={`profile-${name}`}>{label}</label>
      {children}
      {hint && (
        <p id={`profile-${name}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`profile-${name}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

function fieldProps(name: FieldName, errors: FieldErrors) {
  const wrong = errors[name] !== undefined;
  return {
    id: `profile-${name}`,
    name,
    'aria-invalid': wrong || undefined,
    'aria-describedby': wrong ? `profile-${name}-error` : undefined,
  };
}

type StateSelectProps = { value: string; errors: FieldErrors; onChange(state: string): void };

function StateSelect({ value, errors, onChange }: StateSelectProps) {
  const known: readonly string[] = [...indianStates, ...unionTerritories];
  const options = (names: readonly string[]) => names.map((name) => <option key={name}>{name}</option>);
  return (
    <select
      {...fieldProps('state', errors)}
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
      {['fullName', 'email', 'phone', 'buildingNo', 'street', 'city', 'state', 'zip'].map((name) => (
        <Skeleton key={name} className={styles.fieldToCome} data-field={name} />
      ))}
    </div>
  );
}
