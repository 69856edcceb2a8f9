/**
 * Fetches the code of a stored session, for pages that are of no use without one. Apart from session.tsx, so that the shop's
 * pages do not carry it.
 */
export function preloadSession(): void {
  const isTold = () => {}; // where it is used
  import('./session-work.ts').catch(isTold);
  // Named, so that nothing else of the package comes with it.
  import('@supabase/supabase-js').then(({ createClient }) => createClient).catch(isTold);
}
