import { testimonialsShown } from '#domain/home/testimonials.ts';
import { type TestimonialRow, Testimonials } from './greeting-data.ts';
import styles from './ordered-tab.module.css';
import { OrderedTab } from './ordered-tab.tsx';
import type { ShopPreviews } from './shop-previews.ts';
import type { TabProps } from './tab.ts';
import { TestimonialForm } from './testimonial-form.tsx';
import { useDeleteRow } from './use-row-form.ts';
import { useRows } from './use-rows.ts';

export function TestimonialsTab({ Testimonial, ...tab }: TabProps & Pick<ShopPreviews, 'Testimonial'>) {
  const query = useRows('testimonials', Testimonials);
  const remove = useDeleteRow('testimonials');
  return (
    <OrderedTab
      {...tab}
      table="testimonials"
      noun="testimonial"
      hint={`The home page shows the first ${testimonialsShown} published ones.`}
      query={query}
      renderRow={({ stars, text, author }) => ({
        mark: (
          <span className={styles.stars} role="img" aria-label={`${stars} of 5 stars`}>
            {'★'.repeat(stars)}
          </span>
        ),
        text: `${text} — ${author}`,
      })}
      noteFor={(row, arranged) => (isTooFarDown(row, arranged) ? 'Not shown: after the first five' : null)}
      deletionOf={(row) => ({
        title: `Delete “${row.title}”?`,
        text: 'To remove it from the shop for a while, hide it instead.',
        done: `Deleted: ${row.title}`,
        run: () => remove(row),
      })}
      renderForm={(row, position, controls, onSaved) => (
        <TestimonialForm
          key={row?.updated_at ?? 'new'}
          row={row}
          position={position}
          Testimonial={Testimonial}
          controls={controls}
          onSaved={onSaved}
        />
      )}
    />
  );
}

function isTooFarDown(row: TestimonialRow, arranged: readonly TestimonialRow[]): boolean {
  const published = arranged.filter(({ is_published }) => is_published);
  return published.findIndex(({ id }) => id === row.id) >= testimonialsShown;
}
