import { Link } from 'react-router';
import { ChatIcon, MailIcon } from '#app/ui/contact-icons.tsx';
import { shopAddress } from '#domain/catalog/shop-view.ts';
import styles from './page-footer.module.css';

export type ShopFacts = {
  name: string;
  legalName: string;
  address: string;
  fssaiNumber: string;
  email: string;
  whatsappNumber: string;
  instagramUrl: string;
  facebookUrl: string;
  grievanceOfficer: string;
};

export default function PageFooter({ shop }: { shop: ShopFacts }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <section>
          <h2>{shop.name}</h2>
          {shop.legalName && <p>{shop.legalName}</p>}
          {shop.address && <p>{shop.address}</p>}
          {shop.fssaiNumber && <p>FSSAI licence {shop.fssaiNumber}</p>}
        </section>
        <nav aria-label="Sweets">
          <h2>Sweets</h2>
          <ul>
            {(['Halwa', 'Chocolate', 'Laddu'] as const).map((category) => (
              <li key={category}>
                <Link to={shopAddress({ category })}>{category}</Link>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label="Policies">
          <h2>Policies</h2>
          <ul>
            <li>
              <Link to="/terms?policy=shipping">Shipping and refund</Link>
            </li>
            <li>
              <Link to="/terms?policy=privacy">Privacy</Link>
            </li>
            <li>
              <Link to="/terms">Terms</Link>
            </li>
          </ul>
        </nav>
        <nav aria-label="Contact">
          <h2>Say hello</h2>
          <ul>
            {shop.whatsappNumber && (
              <li>
                <a href={`https://wa.me/${shop.whatsappNumber.replace('+', '')}`}>
                  <ChatIcon /> WhatsApp
                </a>
              </li>
            )}
            {shop.email && (
              <li>
                <a href={`mailto:${shop.email}`}>
                  <MailIcon /> {shop.email}
                </a>
              </li>
            )}
            {shop.instagramUrl && (
              <li>
                <a href={shop.instagramUrl}>Instagram</a>
              </li>
            )}
            {shop.facebookUrl && (
              <li>
                <a href={shop.facebookUrl}>Facebook</a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
