import { href, useNavigate, useSearchParams } from 'react-router';
import { BoxBuilder } from '#app/features/boxes/box-builder.tsx';
import { loadBoxPage } from '#app/features/boxes/boxes.server.ts';
import { addBoxToCart, changeBoxInCart, findBox } from '#app/features/cart/box-moves.ts';
import { loadPageFrame } from '#app/features/navigation/page-frame.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { shopAddress } from '#domain/catalog/shop-view.ts';
import type { Route } from './+types/box.ts';
import styles from './box.module.css';
import { useStorefront } from './layout.tsx';
import { pageMeta } from './page-meta.ts';
import { PageTrouble } from './page-trouble.tsx';

const title = 'Build your own box';

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const [page, frame] = await Promise.all([loadBoxPage(shop), loadPageFrame(shop)]);
  const meta = pageMeta({
    shopName: frame.shop.name,
    title: `${title} · ${frame.shop.name}`,
    description: 'Choose a box and fill it with your favourite sweets, piece by piece.',
    url: `${shop.siteUrl}/box`,
    image: `${shop.siteUrl}/images/og-default.jpg`,
    type: 'website',
  });
  return { page, meta };
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

export default function BoxRoute({ loaderData: { page } }: Route.ComponentProps) {
  const { shop } = useStorefront();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  // In the middle: neither the smallest nor the dearest.
  const firstSize = page.sizes[Math.floor((page.sizes.length - 1) / 2)];
  const edited = query.get('change');
  return (
    <main className={styles.page}>
      <h1>{title}</h1>
      {firstSize && page.sweets.some(({ isAvailable }) => isAvailable) ? (
        <>
          <p className={styles.lead}>Pick a size, then fill it piece by piece.</p>
          <BoxBuilder
            key={edited}
            page={page}
            firstSize={firstSize}
            shopName={shop.name}
            findEdited={() => (edited ? findBox(edited) : null)}
            onAdd={addBoxToCart}
            onChange={(line) => {
              changeBoxInCart(edited ?? '', line);
              void navigate(href('/cart'), { viewTransition: true });
            }}
          />
          <noscript>
            <p>Filling a box needs JavaScript. Turn it on, or choose one of our gift boxes.</p>
          </noscript>
        </>
      ) : (
        <EmptyState
          heading="h2"
          title="We have no boxes to fill right now."
          text="Our gift boxes are packed and ready."
          action={
            <ButtonLink variant="primary" to={shopAddress({ tab: 'gifts' })}>
              See gift boxes
            </ButtonLink>
          }
        />
      )}
    </main>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageTrouble error={error} />;
}
