import { CheckField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { type EditControls, EditEnd } from '../form/edit-dialog.tsx';
import { BannerPreview } from './banner-preview.tsx';
import type { SlideRow } from './greeting-data.ts';
import { PictureField } from './picture-field.tsx';
import styles from './row-form.module.css';
import { checkSlide, slideLengths, slidePicture, startSlide } from './row-values.ts';
import type { ShopPreviews } from './shop-previews.ts';
import { useRowForm } from './use-row-form.ts';

/** Where no picture is chosen yet. */
const emptyPaper = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;

type Props = Pick<ShopPreviews, 'Slide'> & {
  row: SlideRow | null;
  /** Where a new one goes: after the last. */
  position: number;
  controls: EditControls;
  onSaved(): void;
};

export function SlideForm({ row, position, Slide, controls, onSaved }: Props) {
  const { form, takePicture } = useRowForm({
    table: 'caurousel',
    row,
    start: () => startSlide(row),
    check: checkSlide,
    more: { position },
    picture: { column: 'background_img', widths: slidePicture.widths },
    controls,
    onSaved,
  });
  const values = form.watch();

  return (
    <Form form={form}>
      <BannerPreview label="Preview">
        <div className={styles.slide}>
          <Slide
            slide={{
              id: row?.id ?? 0,
              image: values.background_img || emptyPaper,
              title: values.title || 'Title',
              subtitle: values.subtitle,
              action: '/',
              button: values.buttontitle || 'Button',
            }}
          />
        </div>
      </BannerPreview>
      <div className={styles.fields}>
        <TextField name="title" label="Title" maxLength={slideLengths.title} isCounted autoFocus={row === null} />
        <PictureField
          label="Picture"
          value={values.background_img}
          hint="Wide, with the subject on the right; the text is on the left"
          shape={slidePicture}
          error={form.formState.errors.background_img?.message}
          onChange={takePicture}
        />
        <div className={styles.whole}>
          <TextAreaField name="subtitle" label="Subtitle" rows={2} maxLength={slideLengths.subtitle} isCounted />
        </div>
        <TextField name="buttontitle" label="Button text" maxLength={slideLengths.buttontitle} isCounted />
        <TextField name="buttonaction" label="Link" placeholder="/shop?category=laddu" />
        <CheckField name="is_published" label="Published" />
      </div>
      <EditEnd controls={controls} isNew={row === null} />
    </Form>
  );
}
