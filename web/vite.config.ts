import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { layerOrder } from './build/layer-order.ts';
import { offlineWorker } from './build/offline-worker.ts';
import { precompress } from './build/precompress.ts';
import { prerender } from './build/prerender.ts';

const sources = () => [react(), layerOrder('reset', 'ui', 'page')];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    ...sources(),
    prerender({ entry: 'src/app/prerender.tsx', plugins: sources }),
    offlineWorker({
      worker: 'src/cash/offline-worker.ts',
      screens: ['src/app/signed-in.tsx', 'src/cash/store-payment-page.tsx'],
    }),
    precompress(),
  ],
  build: {
    manifest: true,
    // The Content-Security-Policy allows neither inline scripts nor data: in styles, and every browser we serve preloads.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every screen needs and only an upgrade changes: one file that stays in the browser's cache.
        codeSplitting: {
          groups: [
            { name: 'base', test: /\/node_modules\/(react|react-dom|react-router|scheduler|valibot)\// },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/v1', '/ip', '/PosOperations', '/User'].map((path) => [
        path,
        process.env.API_ORIGIN ?? 'http://localhost:3000',
      ]),
    ),
  },
});
