import { Button } from '#app/ui/button.tsx';
import { shrinkPicture } from '#app/ui/shrink-picture.ts';
import { PictureChoice } from '../form/picture-choice.tsx';
import { receiptPixels } from './receipt-files.ts';

type Props = {
  /** The path of a stored photograph, or the address of a new one; empty for none. */
  value: string;
  onChange(value: string, photo: Blob | null): void;
  onLook(path: string): void;
};

const isNew = (value: string) => value.startsWith('blob:');

/** The receipt's photograph, from the camera of a phone or from a file. */
export function ReceiptField({ value, onChange, onLook }: Props) {
  return (
    <PictureChoice
      label="Receipt"
      chooseLabel={value === '' ? 'Add photo' : 'Replace photo'}
      prepare={async (file) => {
        const shrunk = await shrinkPicture(file, receiptPixels);
        if (!shrunk.ok) return shrunk;
        return { ok: true, shown: shrunk.blob, keep: (address) => onChange(address, shrunk.blob) };
      }}
      picture={isNew(value) && <img src={value} alt="New receipt" />}
      moves={
        value !== '' && (
          <>
            {!isNew(value) && (
              <Button size="small" onClick={() => onLook(value)}>
                View
              </Button>
            )}
            <Button size="small" onClick={() => onChange('', null)}>
              Remove
            </Button>
          </>
        )
      }
    />
  );
}
