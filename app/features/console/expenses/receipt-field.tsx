import buttons from '#app/ui/button.module.css';
import { PictureChoice } from '../form/picture-choice.tsx';
import { shrinkPicture } from '../form/shrink-picture.ts';
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
              <button type="button" className={buttons.small} onClick={() => onLook(value)}>
                View
              </button>
            )}
            <button type="button" className={buttons.small} onClick={() => onChange('', null)}>
              Remove
            </button>
          </>
        )
      }
    />
  );
}
