import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { serviceWorker } from './app/offline/build-service-worker.ts';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter(), serviceWorker()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // One stylesheet: what the server renders has its styles, also where its code is loaded later.
    cssCodeSplit: false,
    rolldownOptions: isSsrBuild
      ? {}
      : { output: { codeSplitting: { groups: [{ name: 'framework', test: framework }] } } },
  },
}));
