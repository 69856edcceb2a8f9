/**
 * Which pages the browser may load before a link is followed: the public ones, which are the same for everybody, only
 * show something and come from the page cache. A list of what is allowed, so that nothing that acts (/logout), is personal
 * or is new can be among them. A search is counted when it finds nothing, so it is left out.
 *
 * These rules concern full page loads: before React has taken over, and without it. Links inside the running shop are
 * prefetched by the router (ui/near-link.tsx). A prerendered page is hydrated when it is shown (entry.client.tsx).
 */
const publicPages = {
  and: [
    { href_matches: [{ pathname: '/' }, { pathname: '/shop' }, { pathname: '/product/:id' }, { pathname: '/terms' }] },
    { not: { href_matches: { pathname: '*', search: '*q=*' } } },
    { not: { href_matches: { pathname: '*', search: '*code=*' } } },
  ],
};

export const speculationRules: string = JSON.stringify({
  prerender: [{ where: publicPages, eagerness: 'moderate' }],
});
