import { ButtonAnchor, ButtonLink } from '#app/ui/button.tsx';
import { ChatIcon, MailIcon } from '#app/ui/contact-icons.tsx';
import { sweetRequestLinks } from '#domain/catalog/sweet-request-links.ts';
import styles from './search-results.module.css';

export type NothingFoundProps = {
  q: string;
  /** Something near is shown below. */
  hasNearest: boolean;
  shop: { name: string; whatsappNumber: string; email: string };
};

/** What we do not have under this name can be asked for. */
export default function NothingFound({ q, hasNearest, shop }: NothingFoundProps) {
  const { whatsapp, mail } = sweetRequestLinks({ wish: q, shopName: shop.name, ...shop });
  return (
    <div className={styles.ask}>
      {!hasNearest && <p>No close matches: we don’t guess when you exclude an ingredient.</p>}
      <p>
        {whatsapp || mail
          ? 'Can’t find it? Ask us; we make more than we list.'
          : 'Try another word, or look around the shop.'}
      </p>
      {whatsapp && (
        <ButtonAnchor variant="primary" href={whatsapp}>
          <ChatIcon /> Ask on WhatsApp
        </ButtonAnchor>
      )}
      {mail && (
        <ButtonAnchor href={mail}>
          <MailIcon /> Ask by email
        </ButtonAnchor>
      )}
      <ButtonLink to="/shop">Browse the shop</ButtonLink>
    </div>
  );
}
