import { type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { readShop, type ShopAnswer, type ShopValues } from '#contracts/console/shop.ts';
import type { ShopFacts } from '#domain/shop/shop-facts.ts';
import { shopGaps } from '#domain/shop/shop-gaps.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ShopForm } from './shop-form.tsx';
import styles from './shop-tab.module.css';

/** The footer as the shop draws it. */
export type ShopTabProps = { renderFooter(shop: ShopFacts): ReactNode };

/** Who sells: what the law wants a shop to say of itself, and where customers will read it. */
export function ShopTab({ renderFooter }: ShopTabProps) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readShop, {});
  const [attempt, setAttempt] = useState({ count: 0, replaced: null as unknown });
  const answer = data ?? null;
  // The form restarts when the facts have been reloaded.
  if (answer && attempt.replaced && answer !== attempt.replaced)
    setAttempt({ count: attempt.count + 1, replaced: null });

  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel title="Business details" fields={5} />
        <BlankPanel title="Customer contact" fields={3} />
      </LoadingShape>
    );
  if (isLoadingError || !answer) return <FailedState retry={refetch} />;
  return (
    <>
      <StillMissing answer={answer} />
      <ShopForm
        key={attempt.count}
        answer={answer}
        renderPreview={(values) => renderFooter(factsOf(values))}
        onSaved={refetch}
        onStartOver={() => {
          setAttempt({ ...attempt, replaced: answer });
          refetch();
        }}
      />
    </>
  );
}

function StillMissing({ answer: { facts, incomplete_products: products } }: { answer: ShopAnswer }) {
  const gaps = shopGaps(facts);
  if (gaps.length === 0 && products === 0) return null;
  return (
    <Panel title="Required before you can sell">
      <ul className={styles.gaps}>
        {gaps.map(({ field, title, meaning }) => (
          <li key={field}>
            <strong>{title}</strong> {meaning}
          </li>
        ))}
        {products > 0 && (
          <li>
            <strong>
              Details missing for {products === 1 ? '1 product' : `${products.toLocaleString('en-IN')} products`}
            </strong>{' '}
            Every food item needs its veg mark, ingredients, allergens, shelf life and storage.{' '}
            <ButtonLink size="small" to={`${href('/admin/products')}?state=facts_missing`}>
              View products
            </ButtonLink>
          </li>
        )}
      </ul>
    </Panel>
  );
}

const factsOf = (values: ShopValues): ShopFacts => ({
  name: values.name || 'Your shop',
  legalName: values.legal_name,
  address: values.address,
  fssaiNumber: values.fssai_number,
  gstin: values.gstin,
  email: values.email,
  whatsappNumber: values.whatsapp_number,
  instagramUrl: values.instagram_url,
  facebookUrl: values.facebook_url,
  grievanceOfficer: values.grievance_officer,
  grievanceEmail: values.grievance_email,
  grievancePhone: values.grievance_phone,
  grievanceHours: values.grievance_hours,
});
