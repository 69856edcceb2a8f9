import { z } from '#contracts/z.ts';
import { slideWidths } from '#domain/home/slide-image.ts';
import { checkWith, choice, link, text } from '../form/inputs.ts';
import type { SlideRow, TestimonialRow } from './greeting-data.ts';

export const slideLengths = { title: 80, subtitle: 160, buttontitle: 40 } as const;
export const slidePicture = { ratio: 16 / 9, widths: slideWidths };

const SlideTyped = z.object({
  background_img: z.string().min(1, 'Choose a picture.'),
  title: text({ min: 1, max: slideLengths.title }),
  subtitle: text({ max: slideLengths.subtitle }),
  buttontitle: text({ min: 1, max: slideLengths.buttontitle }),
  buttonaction: link(),
  is_published: z.boolean(),
});
export type SlideValues = z.input<typeof SlideTyped>;
export const checkSlide = (values: SlideValues) => checkWith(SlideTyped)(values);

export function startSlide(slide: SlideRow | null): SlideValues {
  if (!slide)
    return { background_img: '', title: '', subtitle: '', buttontitle: '', buttonaction: '/shop', is_published: true };
  const { background_img, title, subtitle, buttontitle, buttonaction, is_published } = slide;
  return { background_img, title, subtitle, buttontitle, buttonaction, is_published };
}

export const testimonialLengths = { title: 80, author: 80, text: 600 } as const;

const TestimonialTyped = z.object({
  title: text({ min: 1, max: testimonialLengths.title }),
  author: text({ min: 1, max: testimonialLengths.author }),
  text: text({ min: 1, max: testimonialLengths.text }),
  stars: choice(['5', '4', '3', '2', '1']).transform(Number),
  is_published: z.boolean(),
});
export type TestimonialValues = z.input<typeof TestimonialTyped>;
export const checkTestimonial = (values: TestimonialValues) => checkWith(TestimonialTyped)(values);

export function startTestimonial(row: TestimonialRow | null): TestimonialValues {
  if (!row) return { title: '', author: '', text: '', stars: '5', is_published: true };
  const { title, author, text: words, stars, is_published } = row;
  return { title, author, text: words, stars: String(stars) as TestimonialValues['stars'], is_published };
}
