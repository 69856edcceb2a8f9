import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;
// What every public page needs, in one file too: twenty small ones compress badly. What only the console or a later part
// needs is not among it.
const frame =
  /\/app\/(root|routes\/storefront\/(layout|purchase)|shop-context|backend\/(session\.tsx|stored-session)|ui\/(?!contact-icons|dialog|stepper|confirm-dialog|form|data-table|panel|search-field|charts\/)|features\/(navigation\/(?!page-footer\.tsx|search-form\.tsx|(use-)?suggestions)|cart\/basket-state))|\/domain\/(money|cart\/cart|cart\/cart-cookies|catalog\/(offer|product-image|modal-address))\.ts/;
// Parts of the home page come later than their markup: their styles, and what they share with the rest, come with it.
const home = /\/app\/features\/home\/([^/]+\.module\.css|remembered\.ts)/;

// What screens of the console share is one file: each more would be named in the list of routes that every page loads.
const consoleParts =
  /\/app\/(ui\/(confirm-dialog|form|data-table|panel|search-field|charts\/)|features\/console\/|routes\/admin\/)|\/node_modules\/zod\//;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter()],
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
                { name: 'console', test: consoleParts, minShareCount: 2 },
              ],
            },
          },
        },
  },
}));
