import { useEffect, useId, useState } from 'react';
import { keep } from '#app/backend/files.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { useRequests } from '../data/requests.ts';
import styles from './receipt-dialog.module.css';
import { readReceipt } from './receipt-files.ts';

type Shown = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; blob: Blob; address: string };

/** The photograph of a receipt. null: none is looked at. */
export function ReceiptDialog({ path, title, onClose }: { path: string | null; title: string; onClose(): void }) {
  const id = useId();
  const shown = useReceipt(path);
  return (
    <Dialog open={path !== null} onClose={onClose} labelledBy={id} className={styles.dialog}>
      <DialogBody className={styles.body}>
        <h2 id={id}>{title}</h2>
        {shown.state === 'loading' && <Loading rows={3} />}
        {shown.state === 'failed' && <p role="alert">We couldn’t load the photo. Close this and try again.</p>}
        {shown.state === 'ready' && <img src={shown.address} alt={`Receipt: ${title}`} />}
        <DialogActions>
          {shown.state === 'ready' && (
            <Button size="small" onClick={() => keep(shown.blob, 'receipt.webp')}>
              Download
            </Button>
          )}
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  );
}

function useReceipt(path: string | null): Shown {
  const { client } = useRequests();
  const [shown, setShown] = useState<Shown>({ state: 'loading' });
  useEffect(() => {
    if (path === null) return;
    let address: string | null = null;
    let gone = false;
    setShown({ state: 'loading' });
    void client()
      .then((supabase) => readReceipt(supabase, path))
      .catch(() => null)
      .then((blob) => {
        if (gone) return;
        if (!blob) return setShown({ state: 'failed' });
        address = URL.createObjectURL(blob);
        setShown({ state: 'ready', blob, address });
      });
    return () => {
      gone = true;
      if (address) URL.revokeObjectURL(address);
    };
  }, [client, path]);
  return shown;
}
