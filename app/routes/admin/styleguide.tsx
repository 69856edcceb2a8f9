import type { MetaDescriptor } from 'react-router';
import { Styleguide } from '#app/features/styleguide/styleguide.tsx';

export const meta = (): MetaDescriptor[] => [{ title: 'Parts' }, { name: 'robots', content: 'noindex' }];

/** For development only: see routes.ts. */
export default function StyleguideRoute() {
  return <Styleguide />;
}
