import buttons from '#app/ui/button.module.css';
import { Tabs } from '#app/ui/panel.tsx';
import { z } from '#contracts/z.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useUrlState } from '../list/url-state.ts';
import { BannersTab } from './banners-tab.tsx';
import type { ShopPreviews } from './shop-previews.ts';
import { SlidesTab } from './slides-tab.tsx';
import { TestimonialsTab } from './testimonials-tab.tsx';

const tabs = {
  banners: { title: 'Festival banners', add: 'Add greeting' },
  slides: { title: 'Slides', add: 'Add slide' },
  testimonials: { title: 'Testimonials', add: 'Add testimonial' },
} as const;
type Tab = keyof typeof tabs;

const State = z.object({
  tab: z.enum(['banners', 'slides', 'testimonials']).catch('banners').default('banners'),
  open: z
    .string()
    .regex(/^(new|\d{1,15})$/)
    .catch('')
    .default(''),
});

/** What the home page greets with. */
export function GreetingsPage({ Banner, Slide, Testimonial }: ShopPreviews) {
  const [state, set, hrefFor] = useUrlState(State);
  const tab = {
    opened: state.open,
    open: (what: string) => set({ open: what }),
    hrefFor: (what: string) => hrefFor({ open: what }),
  };
  return (
    <ConsolePage
      title="Greetings"
      actions={
        <button type="button" className={buttons.smallMain} onClick={() => tab.open('new')}>
          {tabs[state.tab].add}
        </button>
      }
    >
      <Tabs
        label="Greetings"
        items={(Object.keys(tabs) as Tab[]).map((name) => ({
          to: hrefFor({ tab: name, open: '' }),
          title: tabs[name].title,
          isOpen: name === state.tab,
        }))}
      />
      {state.tab === 'banners' && <BannersTab {...tab} Banner={Banner} />}
      {state.tab === 'slides' && <SlidesTab {...tab} Slide={Slide} />}
      {state.tab === 'testimonials' && <TestimonialsTab {...tab} Testimonial={Testimonial} />}
    </ConsolePage>
  );
}
