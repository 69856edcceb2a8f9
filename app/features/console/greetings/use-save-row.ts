import { useSession } from '#app/backend/session.tsx';
import type { Database } from '#database-types';
import { type Outcome, useRequests } from '../requests.ts';
import { type CutPicture, removePicture, storePicture } from './banner-files.ts';

type Table = 'greetings' | 'caurousel' | 'testimonials';
type Values<Name extends Table> = Database['public']['Tables'][Name]['Insert'];
type Seen = { id: number; updated_at: string };

type Picture<Name extends Table> = {
  /** The column that holds its address. */
  column: keyof Values<Name> & string;
  widths: readonly number[];
  /** What is stored now, and what is to be instead where it is new. */
  before: string;
  taken: CutPicture | null;
};

const notStored = {
  ok: false,
  reason: 'failed',
  field: null,
  message: 'The picture could not be stored. Please try again.',
} as const;

/** The picture first, then the row; what turns out to be in vain is taken away again. */
export function useSaveRow<Name extends Table>(table: Name) {
  const { client, insertRow, updateRow, deleteRow } = useRequests();
  const { config } = useSession();
  return {
    async save(row: Seen | null, values: Values<Name>, picture?: Picture<Name>): Promise<Outcome<unknown>> {
      const supabase = await client();
      const stored =
        picture?.taken && (await storePicture(supabase, config.url, table, picture.taken).catch(() => null));
      if (picture?.taken && !stored) return notStored;
      const written = (picture && stored ? { ...values, [picture.column]: stored } : values) as Values<Name>;
      const outcome = row
        ? await updateRow(table, { key: row.id, seen: row.updated_at }, written as never)
        : await insertRow(table, written);
      if (picture) {
        const now = String(written[picture.column] ?? '');
        const inVain = outcome.ok ? picture.before !== now && picture.before : stored;
        if (inVain) void removePicture(supabase, inVain, picture.widths);
      }
      return outcome;
    },
    async remove({ id, updated_at }: Seen, image = '', widths: readonly number[] = []): Promise<Outcome<unknown>> {
      const outcome = await deleteRow(table, { key: id, seen: updated_at });
      if (outcome.ok && image) void client().then((supabase) => removePicture(supabase, image, widths));
      return outcome;
    },
  };
}
