import { CheckField, TextAreaField, TextField } from '#app/ui/fields.tsx';
import { Form } from '#app/ui/form.tsx';
import { coveredBy, shownSpans } from '#domain/greetings/greeting-at.ts';
import { startOfIndianDay } from '#domain/greetings/india-clock.ts';
import { type EditControls, EditEnd } from '../form/edit-dialog.tsx';
import styles from './banner-form.module.css';
import { BannerPreview } from './banner-preview.tsx';
import {
  asTimed,
  type BannerValues,
  bannerLengths,
  bannerPicture,
  checkBanner,
  placesTaken,
  spanWords,
  startBanner,
} from './banner-values.ts';
import type { GreetingRow } from './greeting-data.ts';
import { PictureField } from './picture-field.tsx';
import type { ShopPreviews } from './shop-previews.ts';
import { useRowForm } from './use-row-form.ts';

type Props = {
  greeting: GreetingRow | null;
  others: readonly GreetingRow[];
  Banner: ShopPreviews['Banner'];
  controls: EditControls;
  onSaved(): void;
};

export function BannerForm({ greeting, others, Banner, controls, onSaved }: Props) {
  const { form, takePicture } = useRowForm({
    table: 'greetings',
    row: greeting,
    start: () => startBanner(greeting, startOfIndianDay(Date.now()) + 86_400_000),
    check: checkBanner,
    picture: { column: 'image', widths: bannerPicture.widths },
    controls,
    onSaved,
  });
  const values = form.watch();

  return (
    <Form form={form}>
      <BannerPreview label="Preview">
        <Banner
          greeting={{
            ...values,
            id: greeting?.id ?? 0,
            title: values.title || 'Title',
            hasFireworks: values.has_fireworks,
          }}
        />
      </BannerPreview>
      <div className={styles.fields}>
        <TextField name="title" label="Title" maxLength={bannerLengths.title} isCounted autoFocus={greeting === null} />
        <TextField
          name="link"
          label="Link"
          placeholder="/shop?tab=gifts"
          hint="Optional. A shop page such as /shop, or a link starting with https://"
        />
        <div className={styles.whole}>
          <TextAreaField name="message" label="Message" rows={2} maxLength={bannerLengths.message} isCounted />
        </div>
        <TextField name="starts_at" label="From (India)" type="datetime-local" />
        <TextField name="ends_at" label="Until (India)" type="datetime-local" />
        <TextField
          name="priority"
          label="Priority"
          inputMode="numeric"
          hint="If dates overlap, the highest number is shown"
        />
        <PictureField
          label="Picture"
          value={values.image}
          hint="Shown small and round, next to the lamp"
          shape={bannerPicture}
          error={form.formState.errors.image?.message}
          isOptional
          onChange={takePicture}
        />
        <CheckField name="has_fireworks" label="Fireworks when the page opens" />
        <CheckField name="is_published" label="Published" />
      </div>
      <Overlaps values={values} id={greeting?.id ?? 0} others={others} />
      <EditEnd controls={controls} isNew={greeting === null} />
    </Form>
  );
}

/** Who else greets at that time, who wins, and whose place it takes. */
function Overlaps({ values, id, others }: { values: BannerValues; id: number; others: readonly GreetingRow[] }) {
  const typed = asTimed(values, id);
  if (!typed?.isPublished) return null;
  if (typed.endsAt <= Date.now())
    return (
      <p className={styles.overlaps} data-never>
        These dates are in the past, so nobody will see it.
      </p>
    );
  const all = [...others, typed];
  const rivals = coveredBy(typed, all);
  const spans = shownSpans(typed, all);
  const taken = placesTaken(typed, others, Date.now());
  if (rivals.length === 0) return <p className={styles.overlaps}>No other greeting overrides it. {taken}</p>;
  return (
    <p className={styles.overlaps} data-never={spans.length === 0 || undefined}>
      {spans.length === 0
        ? 'Never shown, because of '
        : `Shown ${spans.map(spanWords).join('; ')}. The rest of the time: `}
      {rivals.map(({ title, priority }) => `${title} (priority ${priority})`).join(', ')}. {taken}
    </p>
  );
}
