import { z } from '#contracts/z.ts';
import { instantFrom } from '#domain/time.ts';

const instant = z.string().transform((text) => instantFrom(text)?.getTime() ?? 0);

export const Greetings = z.array(
  z
    .object({
      id: z.number(),
      title: z.string(),
      message: z.string(),
      image: z.string(),
      link: z.string(),
      starts_at: instant,
      ends_at: instant,
      priority: z.number(),
      has_fireworks: z.boolean(),
      is_published: z.boolean(),
      updated_at: z.string(),
    })
    .transform(({ starts_at, ends_at, has_fireworks, is_published, ...row }) => ({
      ...row,
      startsAt: starts_at,
      endsAt: ends_at,
      hasFireworks: has_fireworks,
      isPublished: is_published,
    })),
);
export type GreetingRow = z.infer<typeof Greetings>[number];

export const Slides = z.array(
  z.object({
    id: z.number(),
    background_img: z.string(),
    title: z.string(),
    subtitle: z.string(),
    buttonaction: z.string(),
    buttontitle: z.string(),
    position: z.number(),
    is_published: z.boolean(),
    updated_at: z.string(),
  }),
);
export type SlideRow = z.infer<typeof Slides>[number];

export const Testimonials = z.array(
  z.object({
    id: z.number(),
    title: z.string(),
    author: z.string(),
    text: z.string(),
    stars: z.number(),
    position: z.number(),
    is_published: z.boolean(),
    updated_at: z.string(),
  }),
);
export type TestimonialRow = z.infer<typeof Testimonials>[number];
