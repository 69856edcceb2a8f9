import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './app/offline/build-service-worker.ts';

// One file for the framework saves about 3 KiB over many; named, so that lazy packages do not come with it.
const framework = /node_modules\/(react|react-dom|react-router|scheduler)\//;

/** Vite drops a CSS module of which no class is used: pages import those of parts whose code is loaded later, too. */
const keepImportedStyles: Plugin = {
  name: 'keep-imported-styles',
  enforce: 'post',
  transform: { filter: { id: /\.module\.css$/ }, handler: () => ({ moduleSideEffects: true }) },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [reactRouter(), serviceWorker(), keepImportedStyles],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: isSsrBuild
      ? {}
      : { output: { codeSplitting: { groups: [{ name: 'framework', test: framework }] } } },
  },
}));
