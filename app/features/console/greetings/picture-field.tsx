import { Button } from '#app/ui/button.tsx';
import { cutPicture } from '#app/ui/shrink-picture.ts';
import { PictureChoice } from '../form/picture-choice.tsx';
import type { CutPicture } from './banner-files.ts';

type Props = {
  label: string;
  /** The address of a picture; empty for none. */
  value: string;
  hint: string;
  shape: { ratio: number; widths: readonly number[] };
  error: string | undefined;
  isOptional?: boolean;
  /** The address to show it by, and the files to keep where it is new. */
  onChange(value: string, picture: CutPicture | null): void;
};

/** A picture cut to its shape, in every width that is shown. */
export function PictureField({ label, value, hint, shape, error, isOptional, onChange }: Props) {
  return (
    <PictureChoice
      label={label}
      chooseLabel={value === '' ? 'Choose picture' : 'Change picture'}
      hint={hint}
      error={error}
      prepare={async (file) => {
        const cut = await cutPicture(file, shape);
        if (!cut.ok) return cut;
        const { blobs } = cut;
        const widest = blobs.reduce((a, b) => (b.width > a.width ? b : a));
        return { ok: true, shown: widest.blob, keep: (address) => onChange(address, blobs) };
      }}
      picture={value !== '' && <img src={value} alt="" data-shape={shape.ratio > 1 ? 'wide' : 'round'} />}
      moves={
        isOptional &&
        value !== '' && (
          <Button size="small" onClick={() => onChange('', null)}>
            No picture
          </Button>
        )
      }
    />
  );
}
