import { useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useSession } from '#app/backend/session.tsx';
import { useSaveForm } from '#app/ui/use-save-form.ts';
import type { Database } from '#database-types';
import type { Refusal } from '../data/refusal.ts';
import { type Outcome, useRequests } from '../data/requests.ts';
import type { EditControls } from '../form/edit-dialog.tsx';
import type { Checked } from '../form/inputs.ts';
import { type CutPicture, removePicture, storePicture } from './banner-files.ts';

type Table = 'greetings' | 'caurousel' | 'testimonials';
/** What a new row of the table may have. */
type NewRow<Name extends Table> = Database['public']['Tables'][Name]['Insert'];
type Seen = { id: number; updated_at: string };

type Options<Name extends Table, T extends FieldValues, V extends NewRow<Name>> = {
  table: Name;
  /** null: a new one. */
  row: Seen | null;
  start(): T;
  check(values: T): Checked<V>;
  /** Values of a new row that are not typed: its position. */
  more?: Partial<NewRow<Name>>;
  /** The column that holds a picture's address, and the widths it is kept in. */
  picture?: { column: keyof T & keyof V & string; widths: readonly number[] };
  controls: EditControls;
  onSaved(): void;
};

const refusal = (reason: Refusal['reason'], message: string): Refusal => ({ ok: false, reason, field: null, message });
const notStored = refusal('failed', 'We couldn’t upload the picture, so nothing was saved. Please try again.');
const changedByAnother = refusal(
  'stale',
  'Changed by someone else. Save again to replace their version with yours, or cancel to see theirs.',
);
const deletedByAnother = refusal(
  'stale',
  'Deleted by someone else, so your changes can’t be saved. Add it again if you still need it.',
);

/** A form over one row. The picture is stored first, then the row; it is removed again if the row is rejected. */
export function useRowForm<Name extends Table, T extends FieldValues, V extends NewRow<Name>>(
  options: Options<Name, T, V>,
) {
  const { table, row, check, more, picture, controls, onSaved } = options;
  const { client, putRow, updateRow } = useRequests();
  const { config } = useSession();
  const [start] = useState(options.start);
  const [entryId] = useState(() => crypto.randomUUID());
  const taken = useRef<CutPicture | null>(null);
  const seen = useRef(row);
  const { onChanged } = controls;

  async function save(value: V): Promise<Outcome<unknown>> {
    const supabase = await client();
    const stored = taken.current && (await storePicture(supabase, config.url, table, taken.current).catch(() => null));
    if (taken.current && !stored) return notStored;
    const written = picture && stored ? { ...value, [picture.column]: stored } : value;
    const outcome = seen.current
      ? await updateRow(table, { key: seen.current.id, seen: seen.current.updated_at }, written)
      : await putRow(table, { ...more, ...written, entry_id: entryId });
    if (picture) {
      const before = String(start[picture.column] ?? '');
      const now = String((written as Record<string, unknown>)[picture.column] ?? '');
      // Without an answer it may be saved all the same, and show the new one.
      if (outcome.ok && before && before !== now) void removePicture(supabase, before, picture.widths);
      if (!outcome.ok && outcome.reason !== 'failed' && stored) void removePicture(supabase, stored, picture.widths);
    }
    return !outcome.ok && outcome.reason === 'stale' && seen.current ? whatHappened(seen.current.id) : outcome;
  }

  async function whatHappened(id: number): Promise<Refusal> {
    const oneOf: Table = table; // all three have what is read here
    const { data } = await (await client()).from(oneOf).select('id, updated_at').eq('id', id).maybeSingle();
    if (data) seen.current = data;
    return data ? changedByAnother : deletedByAnother;
  }

  const form = useSaveForm({
    start,
    check,
    save,
    onSaved() {
      onChanged(false);
      onSaved();
    },
  });
  return {
    form,
    /** The address to show a picture by, and its files where it is new. */
    takePicture(image: string, cut: CutPicture | null) {
      taken.current = cut;
      if (picture) form.change({ [picture.column]: image } as Partial<T>);
    },
  };
}

export function useDeleteRow(table: Table) {
  const { client, deleteRow } = useRequests();
  return async ({ id, updated_at }: Seen, image = '', widths: readonly number[] = []): Promise<Outcome<unknown>> => {
    const outcome = await deleteRow(table, { key: id, seen: updated_at });
    if (outcome.ok && image) void client().then((supabase) => removePicture(supabase, image, widths));
    if (outcome.ok || outcome.reason !== 'stale') return outcome;
    // Already deleted by someone else: done.
    const { count } = await (await client()).from(table).select('id', { count: 'exact', head: true }).eq('id', id);
    return count === 0 ? { ok: true, value: null } : outcome;
  };
}
