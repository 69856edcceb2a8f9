import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
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
        <a className={buttons.main} href={whatsapp}>
          <ChatIcon /> Ask on WhatsApp
        </a>
      )}
      {mail && (
        <a className={buttons.quiet} href={mail}>
          <MailIcon /> Ask by email
        </a>
      )}
      <Link className={buttons.quiet} to="/shop">
        Browse the shop
      </Link>
    </div>
  );
}
