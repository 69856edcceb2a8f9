import type { ShopClient } from '#app/backend/client.ts';
import type { FetchedFile } from '#app/backend/files.ts';
import { type Consent, type ConsentPurpose, consentPurposes, consentSources } from '#domain/customers/consents.ts';
import { instantFrom } from '#domain/time.ts';

const fieldsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const momentOf = (value: unknown) => (typeof value === 'string' ? instantFrom(value) : null);
const sourceOf = (value: unknown) => consentSources.find((source) => source === value) ?? null;

/** What my_consents() and choose_consent() return; a purpose that this page does not know yet is left out. */
export function consentsFrom(answer: unknown): Consent[] {
  return listOf(answer).flatMap((row) => {
    const { purpose: named, agreed, since, source, history } = fieldsOf(row);
    const purpose = consentPurposes.find((each) => each === named);
    if (!purpose) return [];
    return {
      purpose,
      agreed: agreed === true,
      since: momentOf(since),
      source: sourceOf(source),
      history: listOf(history).flatMap((entry) => {
        const choice = fieldsOf(entry);
        const [at, from] = [momentOf(choice.at), sourceOf(choice.source)];
        return at && from ? { agreed: choice.agreed === true, at, source: from } : [];
      }),
    };
  });
}

/** Throws when they cannot be read. */
export async function loadConsents(client: ShopClient): Promise<Consent[]> {
  const { data, error } = await client.rpc('my_consents');
  if (error) throw error;
  return consentsFrom(data);
}

/** All choices afterwards; throws when it could not be saved. */
export async function chooseConsent(client: ShopClient, purpose: ConsentPurpose, agreed: boolean): Promise<Consent[]> {
  const { data, error } = await client.rpc('choose_consent', { purpose, agreed, source: 'profile' });
  if (error) throw error;
  return consentsFrom(data);
}

export type ErasureFacts = {
  /** Why the account cannot be deleted now. */
  blocker: string | null;
  orders: number;
  reviews: number;
  invoices: number;
  /** yyyy-mm-dd */
  keptUntil: string | null;
};

/** Throws when it cannot be read. */
export async function loadErasure(client: ShopClient): Promise<ErasureFacts> {
  const { data, error } = await client.rpc('my_erasure');
  if (error) throw error;
  const { blocker, orders, reviews, invoices, kept_until } = fieldsOf(data);
  return {
    blocker: typeof blocker === 'string' ? blocker : null,
    orders: Number(orders),
    reviews: Number(reviews),
    invoices: Number(invoices),
    keptUntil: typeof kept_until === 'string' ? kept_until : null,
  };
}

/** null: the account is gone. Otherwise what to say. */
export async function eraseMe(client: ShopClient, confirmation: string): Promise<string | null> {
  const failed = 'We couldn’t delete your account. Nothing was changed. Please try again.';
  try {
    const { error } = await client.rpc('erase_me', { confirmation });
    if (!error) return null;
    // The shop's own reason: an order that came in the meantime.
    return error.code === 'PT409' || error.code === 'PT400' ? error.message : failed;
  } catch {
    return failed;
  }
}

/** One ZIP of everything: a large one comes in pieces. `onPiece`: how many are here. */
export async function fetchOwnData(
  fetchFile: (question: string) => Promise<FetchedFile>,
  onPiece: (pieces: number) => void,
): Promise<{ ok: true; file: Blob } | { ok: false; message: string }> {
  const pieces: Blob[] = [];
  for (let question: string | null = 'myData'; question; ) {
    const fetched = await fetchFile(question);
    if (!fetched.ok) return fetched;
    pieces.push(fetched.file);
    onPiece(pieces.length);
    question = fetched.next && `myData?after=${encodeURIComponent(fetched.next)}`;
  }
  const [only, ...others] = pieces;
  if (only && others.length === 0) return { ok: true, file: only };
  return { ok: true, file: await joined(pieces) };
}

/** The files of all pieces, each of which has names of its own. */
async function joined(pieces: Blob[]): Promise<Blob> {
  const { unzipSync, zipSync } = await import('fflate');
  const files: Record<string, Uint8Array> = {};
  for (const piece of pieces) Object.assign(files, unzipSync(new Uint8Array(await piece.arrayBuffer())));
  return new Blob([zipSync(files, { level: 1 }) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}
