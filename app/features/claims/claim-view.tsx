import { type FormEvent, useId, useRef, useState } from 'react';
import { ClaimPhotos } from '#app/parts/claim-photos/claim-photos.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { TextArea } from '#app/ui/input.tsx';
import type { CustomerClaim } from '#contracts/claims.ts';
import { mostWords, problemLabels } from '#domain/claims/claim.ts';
import { itemName, momentOf, standingOfClaim } from './claim-words.ts';
import styles from './claims.module.css';
import type { ClaimsBackend } from './claims-backend.ts';
import { type ChosenPhoto, PhotoPicker } from './photo-picker.tsx';

export type ClaimViewProps = {
  claim: CustomerClaim;
  /** By an order's link, which may have been forwarded: then there are no messages and no photos. */
  isByLink: boolean;
  backend: ClaimsBackend;
  reload(): Promise<void>;
};

/** One report: where it stands, what was said, and a way to answer. */
export function ClaimView({ claim, isByLink, backend, reload }: ClaimViewProps) {
  const titleId = useId();
  const { word, tone, sentence } = standingOfClaim(claim, isByLink);
  return (
    <article className={styles.claim} aria-labelledby={titleId}>
      <header>
        <h3 id={titleId}>Ticket {claim.ticket}</h3>
        <Badge tone={tone}>{word}</Badge>
      </header>
      <p className={styles.sentence}>{sentence}</p>
      <Tracking claim={claim} />
      <ul className={styles.reported} aria-label="You reported">
        {claim.items.map((item) => (
          <li key={item.order_item_id}>
            {itemName(item)}: {problemLabels[item.problem].toLowerCase()}
          </li>
        ))}
      </ul>
      <ClaimPhotos photos={claim.photos} />
      {isByLink && (
        <p className={styles.sentence}>
          Messages and photos aren’t shown here, because a link can be forwarded. Our answers come by email; log in to
          see everything in your order history.
        </p>
      )}
      <ol className={styles.messages} aria-label="Messages">
        {claim.messages.map(({ id, from_shop, words, at }) => (
          <li key={id} data-from-shop={from_shop || undefined}>
            <p className={styles.by}>
              {from_shop ? 'The shop' : 'You'} · {momentOf(at)}
            </p>
            <p className={styles.words}>{words}</p>
          </li>
        ))}
      </ol>
      <Reply claim={claim} backend={backend} reload={reload} />
    </article>
  );
}

function Tracking({ claim: { replacement } }: { claim: CustomerClaim }) {
  if (!replacement || replacement.state === 'to-send' || !(replacement.courier || replacement.tracking_number))
    return null;
  const words = [replacement.courier, replacement.tracking_number].filter(Boolean).join(', ');
  return (
    <p className={styles.sentence}>
      {replacement.tracking_url ? (
        <a href={replacement.tracking_url} target="_blank" rel="noopener noreferrer">
          Track it: {words}
        </a>
      ) : (
        words
      )}
    </p>
  );
}

function Reply({ claim, backend, reload }: Omit<ClaimViewProps, 'isByLink'>) {
  const id = useId();
  const entry = useRef(crypto.randomUUID());
  const [words, setWords] = useState('');
  const [photos, setPhotos] = useState<ChosenPhoto[]>([]);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const photosLeft = claim.state === 'decided' ? 0 : claim.photos_left;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!words.trim() && photos.length === 0) return setProblem('Write something, or add a photo.');
    setBusy(true);
    setSent(false);
    setProblem('');
    const unsent: ChosenPhoto[] = [];
    let failure = '';
    for (const photo of photos) {
      const sent = await backend.addPhoto(claim.id, photo);
      if (!sent.ok) {
        unsent.push(photo);
        failure = sent.message;
      }
    }
    setPhotos(unsent);
    if (words.trim()) {
      const sent = await backend.answer(claim.id, words, entry.current);
      if (sent.ok) {
        entry.current = crypto.randomUUID();
        setWords('');
      } else failure = sent.message;
    }
    await reload();
    setProblem(failure);
    setSent(failure === '');
    setBusy(false);
  }

  return (
    <form className={styles.reply} onSubmit={submit} noValidate aria-label={`Answer in ticket ${claim.ticket}`}>
      <Field id={`${id}-words`} label="Write to us">
        <TextArea
          {...controlProps({ id: `${id}-words` })}
          rows={2}
          maxLength={mostWords}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </Field>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <p role="status" className={styles.sentence}>
        {isSent && 'Sent. We’ll answer by email.'}
      </p>
      <div className={styles.send}>
        <Button type="submit" size="small" variant="primary" isBusy={busy}>
          {busy ? 'Sending…' : 'Send'}
        </Button>
        {photosLeft > 0 && <PhotoPicker photos={photos} most={photosLeft} onChange={setPhotos} />}
      </div>
    </form>
  );
}
