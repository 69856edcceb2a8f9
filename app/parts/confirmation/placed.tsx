import { type ReactNode, useId } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import type { PlacedItem } from '#domain/checkout/checkout-state.ts';
import { formatPaise } from '#domain/money.ts';
import type { OfferSum } from '#domain/offers/applied.ts';
import styles from './confirmation.module.css';

// What is said of an order that was placed, for one parcel and for many.

export function Thanks({ children }: { children: ReactNode }) {
  const { who } = useSession();
  return (
    <p>
      {children}
      {who?.email && (
        <>
          {' '}
          We’ve emailed the details to <b className={styles.email}>{who.email}</b>.
        </>
      )}
    </p>
  );
}

export function Facts({ facts }: { facts: (readonly [term: string, value: string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function PlacedItems({ items }: { items: PlacedItem[] }) {
  return (
    <ul className={styles.items}>
      {items.map(({ name, image, sizeGrams, quantity, linePaise }) => (
        <li key={`${name} ${sizeGrams}`}>
          <Picture sources={pictureSources(image)} sizes="56px" width={56} height={56} loading="lazy" />
          <p>
            {name}
            <small>
              {sizeGrams !== null && `${sizeGrams} g · `}Quantity {quantity}
            </small>
          </p>
          <span>{formatPaise(linePaise)}</span>
        </li>
      ))}
    </ul>
  );
}

export function PlacedOffers({ offers }: { offers: OfferSum[] }) {
  return (
    <dl className={styles.offers}>
      {offers.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function NextSteps({ steps }: { steps: string[] }) {
  return (
    <Part title="What happens next">
      <ol className={styles.next}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Part>
  );
}
