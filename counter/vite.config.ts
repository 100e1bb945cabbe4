import { join } from 'node:path';
import { classNames } from '@aparta/browser/build/class-names.ts';
import { layerOrder } from '@aparta/browser/build/layer-order.ts';
import { openAgainPlugin } from '@aparta/browser/build/open-again.ts';
import { offlineWorker } from '@aparta/browser/build/offline-worker.ts';
import { precompress } from '@aparta/browser/build/precompress.ts';
import { shapeOf } from '@aparta/browser/build/shape.ts';
import { tooOld } from '@aparta/browser/build/too-old.ts';
import { onlyReplies } from '@aparta/browser/build/only-replies.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/mostrador/',
  plugins: [
    react(),
    classNames(),
    layerOrder('reset', 'ui', 'page'),
    onlyReplies('body'),
    openAgainPlugin(),
    tooOld(),
    offlineWorker({
      worker: 'src/app/offline-worker.ts',
      app: 'index.html',
      // What only shows; each says itself that nothing is pressed.
      modules: [
        'src/data/seen-store.ts',
        'src/data/refusal-texts.ts',
        'src/devices/device-page.tsx',
        'src/purchases/purchases-page.tsx',
        'src/shelf/shelf-page.tsx',
        'src/till/charge-page.tsx',
        'src/till/find-page.tsx',
        'src/today/today-page.tsx',
      ],
      documents: { mostrador: '/mostrador' },
    }),
    precompress(),
  ],
  define: {
    'import.meta.env.SEEN_SHAPE': JSON.stringify(
      shapeOf(
        ['../contract/src', 'src/data'].map((folder) => join(import.meta.dirname, folder)),
        /^fields\.ts$/,
      ),
    ),
  },
  // For Reacts that have no such hook; ours has it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    manifest: true,
    // The Content-Security-Policy admits inline scripts by their hash alone and no data: in styles, and every supported browser preloads.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Changed only by upgrades: one file that stays cached.
          groups: [
            {
              name: 'base',
              test: /\/node_modules\/(react|react-dom|wouter|regexparam|scheduler|valibot|@tanstack)\//,
            },
          ],
        },
      },
    },
  },
});
