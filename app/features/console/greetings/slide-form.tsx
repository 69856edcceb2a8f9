import { useEffect, useRef, useState } from 'react';
import { CheckField, Form, TextField, useForm } from '#app/ui/form.tsx';
import type { EditControls } from '../edit-dialog.tsx';
import type { CutPicture } from './banner-files.ts';
import { BannerPreview } from './banner-preview.tsx';
import type { SlideRow } from './greeting-data.ts';
import { PictureField } from './picture-field.tsx';
import styles from './row-form.module.css';
import { RowFormEnd } from './row-form-end.tsx';
import { checkSlide, slideLengths, slidePicture, startSlide } from './row-values.ts';
import type { ShopPreviews } from './shop-previews.ts';
import { useSaveRow } from './use-save-row.ts';

type Props = Pick<ShopPreviews, 'Slide'> & {
  row: SlideRow | null;
  /** Where a new one goes: after the last. */
  position: number;
  controls: EditControls;
  onSaved(): void;
};

export function SlideForm({ row, position, Slide, controls, onSaved }: Props) {
  const [start] = useState(() => startSlide(row));
  const taken = useRef<CutPicture | null>(null);
  const { save } = useSaveRow('caurousel');
  const { onChanged } = controls;
  const form = useForm({
    start,
    check: checkSlide,
    save: (value) =>
      save(row, row ? value : { ...value, position }, {
        column: 'background_img',
        widths: slidePicture.widths,
        before: start.background_img,
        taken: taken.current,
      }),
    onSaved() {
      onChanged(false);
      onSaved();
    },
  });
  useEffect(() => onChanged(form.isChanged), [form.isChanged, onChanged]);
  const { values } = form;

  return (
    <Form form={form}>
      <BannerPreview label="As visitors will see it">
        <div className={styles.slide}>
          <Slide
            slide={{
              id: row?.id ?? 0,
              image: values.background_img || '/images/logo-mark.svg',
              title: values.title || 'Title',
              subtitle: values.subtitle,
              action: '/',
              button: values.buttontitle || 'Button',
            }}
          />
        </div>
      </BannerPreview>
      <div className={styles.fields}>
        <TextField
          form={form}
          name="title"
          label="Title"
          maxLength={slideLengths.title}
          isCounted
          autoFocus={row === null}
        />
        <PictureField
          label="Picture"
          value={values.background_img}
          hint="Wide, with its subject on the right; the words stand on the left"
          shape={slidePicture}
          error={form.errors.background_img}
          onChange={(image, picture) => {
            taken.current = picture;
            form.set('background_img', image);
          }}
        />
        <div className={styles.whole}>
          <TextField
            form={form}
            name="subtitle"
            label="Under it"
            multiline
            rows={2}
            maxLength={slideLengths.subtitle}
            isCounted
          />
        </div>
        <TextField form={form} name="buttontitle" label="Button" maxLength={slideLengths.buttontitle} isCounted />
        <TextField form={form} name="buttonaction" label="Leads to" placeholder="/shop?category=laddu" />
        <CheckField form={form} name="is_published" label="Published" />
      </div>
      <RowFormEnd form={form} controls={controls} isNew={row === null} />
    </Form>
  );
}
