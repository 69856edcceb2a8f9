import { Slides } from './greeting-data.ts';
import styles from './ordered-tab.module.css';
import { OrderedTab } from './ordered-tab.tsx';
import { slidePicture } from './row-values.ts';
import type { ShopPreviews } from './shop-previews.ts';
import { SlideForm } from './slide-form.tsx';
import type { TabProps } from './tab.ts';
import { useDeleteRow } from './use-row-form.ts';
import { useRows } from './use-rows.ts';

const smallest = (image: string) => image.replace(/-1600\.webp$/, '-640.webp');

export function SlidesTab({ Slide, ...tab }: TabProps & Pick<ShopPreviews, 'Slide'>) {
  const query = useRows('caurousel', Slides);
  const remove = useDeleteRow('caurousel');
  return (
    <OrderedTab
      {...tab}
      table="caurousel"
      noun="slide"
      hint="The home page shows them in this order, five seconds each."
      query={query}
      renderRow={({ background_img, subtitle, buttontitle, buttonaction }) => ({
        mark: <img className={styles.thumb} src={smallest(background_img)} alt="" width={112} height={63} />,
        text: [subtitle, `${buttontitle} → ${buttonaction}`].filter(Boolean).join(' · '),
      })}
      deletionOf={(row) => ({
        title: `Delete “${row.title}”?`,
        text: 'Its picture is deleted too. To remove it from the shop for a while, hide it instead.',
        done: `Deleted: ${row.title}`,
        run: () => remove(row, row.background_img, slidePicture.widths),
      })}
      renderForm={(row, position, controls, onSaved) => (
        <SlideForm
          key={row?.updated_at ?? 'new'}
          row={row}
          position={position}
          Slide={Slide}
          controls={controls}
          onSaved={onSaved}
        />
      )}
    />
  );
}
