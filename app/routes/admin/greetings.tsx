import type { ScreenHandle } from '#app/features/console/data/current-screen.ts';
import { GreetingsPage } from '#app/features/console/greetings/greetings-page.tsx';
import type { BannerLook, SlideLook } from '#app/features/console/greetings/shop-previews.ts';
import { GreetingBanner } from '#app/features/home/greeting-banner.tsx';
import { SlidePanel } from '#app/features/home/hero-carousel.tsx';
import { TestimonialCard } from '#app/features/home/testimonial-card.tsx';

export const handle: ScreenHandle = { title: 'Greetings' };

/** Previews are made of the shop's own parts. */
export default function GreetingsRoute() {
  return <GreetingsPage Banner={Banner} Slide={Slide} Testimonial={TestimonialCard} />;
}

function Banner({ greeting }: { greeting: BannerLook }) {
  return <GreetingBanner greeting={greeting} onDismiss={() => {}} />;
}

function Slide({ slide }: { slide: SlideLook }) {
  return <SlidePanel slide={slide} first place="Preview" />;
}
