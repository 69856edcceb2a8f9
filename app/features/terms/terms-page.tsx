import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { matchingPolicies, type Policy, policiesOf, type TermsShop, termsChangedOn } from './policies.ts';
import styles from './terms-page.module.css';

export function TermsPage({ shop, policy }: { shop: TermsShop; policy: string }) {
  const all = policiesOf(shop);
  const shown = matchingPolicies(all, policy);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Terms and conditions</h1>
        <p>Last changed on {termsChangedOn}.</p>
      </header>
      {shown.length === 0 ? (
        <NothingFound />
      ) : (
        <div className={styles.columns}>
          <Contents all={all} shown={shown} />
          <div className={styles.policies}>
            {shown.map((entry) => (
              <PolicySection key={entry.id} policy={entry} email={shop.email} />
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
        {shown.map(({ id, subheading }) => (
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

function PolicySection({ policy, email }: { policy: Policy; email: string }) {
  return (
    <section id={policy.id} aria-labelledby={`${policy.id}-subheading`} className={styles.policy}>
      <h2 id={`${policy.id}-subheading`}>{policy.subheading}</h2>
      {policy.parts.map((part) => (
        <div key={part.title}>
          <h3>{part.title}</h3>
          {part.paragraphs.map((text) => (
            <p key={text}>{withMailLink(text, email)}</p>
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

function withMailLink(text: string, email: string): ReactNode {
  const at = email === '' ? -1 : text.indexOf(email);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <a href={`mailto:${email}`}>{email}</a>
      {text.slice(at + email.length)}
    </>
  );
}
