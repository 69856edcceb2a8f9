/**
 * Runs in the head of every page: shows the pending bar while the browser loads another page of the shop, which it does
 * before this one is hydrated, for a form and for links to the console. Browsers without the Navigation API show their own.
 */
export const markPageLoad = `(() => {
  const { dataset } = document.documentElement;
  const hide = () => delete dataset.pending;
  window.navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
    const isPage = !destination.sameDocument && downloadRequest === null;
    if (isPage && destination.url.startsWith(location.origin + '/')) dataset.pending = '';
  });
  window.navigation?.addEventListener('navigateerror', hide);
  addEventListener('pageshow', hide);
})()`;
