// Functions of schemas/04_greetings.
import { at, defineFunction, moment } from './contract.ts';
import { z } from './z.ts';

/** The greeting of the moment, as pages show it. */
export const Greeting = z.object({
  id: z.number(),
  title: z.string(),
  message: z.string(),
  image: z.string(),
  link: z.string(),
  has_fireworks: z.boolean(),
});

export const nextGreetingChange = defineFunction('next_greeting_change', { at }, moment.nullable());
