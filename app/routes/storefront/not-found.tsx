import { data, Link, type MetaDescriptor } from 'react-router';

const words = 'This page is not here';

/** Every other address: a page of the shop all the same, with its search and its ways on. */
export function loader() {
  return data(null, { status: 404 });
}

export const meta = (): MetaDescriptor[] => [{ title: words }, { name: 'robots', content: 'noindex' }];

export default function NotFoundRoute() {
  return (
    <main className="lonely-page">
      <h1>{words}</h1>
      <p>
        <Link to="/">Back to the shop</Link>
      </p>
    </main>
  );
}
