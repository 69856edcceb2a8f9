import type { ComponentType } from 'react';

export type BannerLook = {
  id: number;
  title: string;
  message: string;
  image: string;
  link: string;
  hasFireworks: boolean;
};
export type SlideLook = { id: number; image: string; title: string; subtitle: string; action: string; button: string };
export type TestimonialLook = { id: number; title: string; author: string; text: string; stars: number };

/** The shop's own parts, so that a preview is what visitors will see. Handed in by the route: areas know nothing of others. */
export type ShopPreviews = {
  Banner: ComponentType<{ greeting: BannerLook }>;
  Slide: ComponentType<{ slide: SlideLook }>;
  Testimonial: ComponentType<{ testimonial: TestimonialLook }>;
};
