import { Link } from 'react-router';
import { ChatIcon, FacebookIcon, InstagramIcon, MailIcon } from '#app/ui/contact-icons.tsx';
import { shopAddress } from '#domain/catalog/shop-view.ts';
import { complaintContacts, readablePhone, type ShopFacts } from '#domain/shop/shop-facts.ts';
import styles from './page-footer.module.css';

export default function PageFooter({ shop }: { shop: ShopFacts }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <section>
          <h2>{shop.name}</h2>
          {shop.legalName && <p>{shop.legalName}</p>}
          {shop.address && <p>{shop.address}</p>}
          {shop.fssaiNumber && <p>FSSAI licence {shop.fssaiNumber}</p>}
          {shop.gstin && <p>GSTIN {shop.gstin}</p>}
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
          <h2>Contact</h2>
          <ul>
            {shop.whatsappNumber && (
              <li>
                <a href={`https://wa.me/${shop.whatsappNumber.replace('+', '')}`}>
                  <ChatIcon /> WhatsApp {readablePhone(shop.whatsappNumber)}
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
                <a href={shop.instagramUrl}>
                  <InstagramIcon /> Instagram
                </a>
              </li>
            )}
            {shop.facebookUrl && (
              <li>
                <a href={shop.facebookUrl}>
                  <FacebookIcon /> Facebook
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
      <Complaints shop={shop} />
    </footer>
  );
}

/** Whom to turn to when something went wrong, in one line where there is room. */
function Complaints({ shop }: { shop: ShopFacts }) {
  const contacts = complaintContacts(shop);
  if (!shop.grievanceOfficer && contacts.length === 0) return null;
  return (
    <section className={styles.complaints} aria-label="Complaints">
      <h2>{shop.grievanceOfficer ? 'Grievance officer' : 'Complaints'}</h2>
      <ul>
        {shop.grievanceOfficer && <li>{shop.grievanceOfficer}</li>}
        {contacts.map(({ text, href }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
        {shop.grievanceHours && <li>{shop.grievanceHours}</li>}
        <li>
          <Link to="/terms?policy=complaints">How we handle complaints</Link>
        </li>
      </ul>
    </section>
  );
}
