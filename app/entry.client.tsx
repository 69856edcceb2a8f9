import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  });
}

// A page that the browser prerenders requests nothing and does nothing until it is shown. Not every browser prerenders.
if ('prerendering' in document && document.prerendering)
  document.addEventListener('prerenderingchange', hydrate, { once: true });
else hydrate();
