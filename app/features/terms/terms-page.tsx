import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Contact, complaintContacts } from '#domain/shop/shop-facts.ts';
import { matchingPolicies, type Policy, policiesOf, type TermsFacts, termsChangedOn, titleOf } from './policies.ts';
import styles from './terms-page.module.css';

const titleId = 'terms-title';

export function TermsPage({ shop, policy }: { shop: TermsFacts; policy: string }) {
  const all = policiesOf(shop);
  const shown = matchingPolicies(all, policy);
  const contacts = [{ text: shop.email, href: `mailto:${shop.email}` }, ...complaintContacts(shop)];
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 id={titleId}>{titleOf(shown)}</h1>
        <p>Last updated on {termsChangedOn}.</p>
      </header>
      {shown.length === 0 ? (
        <NothingFound />
      ) : (
        <div className={styles.columns}>
          <Contents all={all} shown={shown} />
          <div className={styles.policies}>
            {shown.map((entry) => (
              <PolicySection key={entry.id} policy={entry} isAlone={shown.length === 1} contacts={contacts} />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function NothingFound() {
  return (
    <div className={styles.nothing}>
      <p>No matching policy found.</p>
      <Link to="/terms">Read all terms and conditions</Link>
    </div>
  );
}

/** Of everything: jumps within the page. Of a part of it: the way to all. */
function Contents({ all, shown }: { all: Policy[]; shown: Policy[] }) {
  const complete = shown.length === all.length;
  return (
    <nav className={styles.contents} aria-label="On this page">
      <ul>
        {shown.length > 1 &&
          shown.map(({ id, subheading }) => (
            <li key={id}>
              <a href={`#${id}`}>{subheading}</a>
            </li>
          ))}
        {!complete && (
          <li>
            <Link to="/terms">All terms and conditions</Link>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** Alone, its subheading is the page's title already. */
function PolicySection({ policy, isAlone, contacts }: { policy: Policy; isAlone: boolean; contacts: Contact[] }) {
  const subheadingId = `${policy.id}-subheading`;
  const PartHeading = isAlone ? 'h2' : 'h3';
  return (
    <section id={policy.id} aria-labelledby={isAlone ? titleId : subheadingId} className={styles.policy}>
      {!isAlone && (
        <h2 id={subheadingId} className={styles.subheading}>
          {policy.subheading}
        </h2>
      )}
      {policy.parts.map((part) => (
        <div key={part.title}>
          <PartHeading className={styles.part}>{part.title}</PartHeading>
          {part.paragraphs.map((text) => (
            <p key={text}>{withLinks(text, contacts)}</p>
          ))}
          {part.list && (
            <ul>
              {part.list.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  );
}

/** Addresses and numbers in a text lead where they say. */
function withLinks(text: string, [contact, ...others]: readonly Contact[]): ReactNode {
  if (!contact) return text;
  const at = contact.text === '' ? -1 : text.indexOf(contact.text);
  if (at < 0) return withLinks(text, others);
  return (
    <>
      {withLinks(text.slice(0, at), others)}
      <a href={contact.href}>{contact.text}</a>
      {withLinks(text.slice(at + contact.text.length), others)}
    </>
  );
}
