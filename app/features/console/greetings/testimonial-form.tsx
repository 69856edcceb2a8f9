import { CheckField, SelectField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { type EditControls, EditEnd } from '../form/edit-dialog.tsx';
import { BannerPreview } from './banner-preview.tsx';
import type { TestimonialRow } from './greeting-data.ts';
import styles from './row-form.module.css';
import { checkTestimonial, startTestimonial, testimonialLengths } from './row-values.ts';
import type { ShopPreviews } from './shop-previews.ts';
import { useRowForm } from './use-row-form.ts';

type Props = Pick<ShopPreviews, 'Testimonial'> & {
  row: TestimonialRow | null;
  position: number;
  controls: EditControls;
  onSaved(): void;
};

const starOptions = ['5', '4', '3', '2', '1'].map((stars) => ({ value: stars, label: '★'.repeat(Number(stars)) }));

export function TestimonialForm({ row, position, Testimonial, controls, onSaved }: Props) {
  const { form } = useRowForm({
    table: 'testimonials',
    row,
    start: () => startTestimonial(row),
    check: checkTestimonial,
    more: { position },
    controls,
    onSaved,
  });
  const values = form.watch();

  return (
    <Form form={form}>
      <div className={styles.beside}>
        <div className={styles.fields}>
          <TextField
            name="title"
            label="Title"
            maxLength={testimonialLengths.title}
            isCounted
            autoFocus={row === null}
          />
          <TextAreaField name="text" label="Testimonial" rows={6} maxLength={testimonialLengths.text} isCounted />
          <TextField
            name="author"
            label="Author"
            placeholder="Pooja, Delhi"
            maxLength={testimonialLengths.author}
            isCounted
          />
          <SelectField name="stars" label="Stars" options={starOptions} />
          <CheckField name="is_published" label="Published" />
        </div>
        <BannerPreview label="Preview">
          <Testimonial
            testimonial={{
              id: row?.id ?? 0,
              title: values.title || 'Title',
              text: values.text,
              author: values.author,
              stars: Number(values.stars),
            }}
          />
        </BannerPreview>
      </div>
      <EditEnd controls={controls} isNew={row === null} />
    </Form>
  );
}
