import { data, type MetaDescriptor } from 'react-router';
import { LonelyPage } from '#app/ui/lonely-page.tsx';

const title = 'We can’t find that page';

/** Every other address: a page of the shop all the same, with its search and its ways on. */
export function loader() {
  return data(null, { status: 404 });
}

export const meta = (): MetaDescriptor[] => [{ title }, { name: 'robots', content: 'noindex' }];

export default function NotFoundRoute() {
  return (
    <LonelyPage title={title}>
      <p>It may have moved, or the link has a typo. Try a search, or start from here.</p>
    </LonelyPage>
  );
}
