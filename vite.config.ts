import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { serviceWorker } from './app/offline/build-service-worker.ts';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
// What every public page needs, in one file too: twenty small ones compress badly. What only the console or a later part
// needs is not among it, but for the styles of the cards on the product page: their markup comes before their code.
const frame =
  /\/app\/(root|routes\/storefront\/(layout|purchase|product-actions)|shop-context|backend\/(session\.tsx|stored-session|remembered)|ui\/(?!contact-icons|dialog|stepper|confirm-dialog|form|data-table|panel|search-field|charts\/)|features\/(catalog\/(goes-well-with|product-card)\.module\.css|navigation\/(?!page-footer\.tsx|search-form\.tsx|(use-)?suggestions)|cart\/basket-state|delivery\/(deliver-to|delivery-place|use-profile-pincode|card-notes|card-delivery)))|\/domain\/(money|cart\/cart|cart\/cart-cookies|catalog\/(offer|product-image|modal-address))\.ts/;
// Parts of the home page come later than their markup: their styles, and what they share with the rest, come with it.
const home = /\/app\/features\/home\/([^/]+\.module\.css|remembered\.ts)/;
// What cart, profile and confirmation share, in one file: small ones compress badly. The console's screens split by
// themselves, so that no customer loads any of it.
const later =
  /\/app\/(backend\/client|features\/(cart\/(?!basket-state)|checkout\/|delivery\/)|ui\/dialog)|\/domain\/(time|profile|indian-states|checkout\/|delivery\/|orders\/)/;

/** Shorter than Vite's own names, which have the line in them: they stand in every page, its styles and its code. */
const className = (name: string, file: string) =>
  `${name}-${createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 4)}`;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter(), serviceWorker()],
  css: { modules: { generateScopedName: className } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework },
                { name: 'frame', test: frame },
                { name: 'home-shared', test: home },
                { name: 'later', test: later, minShareCount: 2 },
              ],
            },
          },
        },
  },
}));
