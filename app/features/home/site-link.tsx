import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Links typed by administrators are paths of this site or whole addresses. */
export function SiteLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  return to.startsWith('/') ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <a href={to} className={className}>
      {children}
    </a>
  );
}
