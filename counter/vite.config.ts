import { classNames } from '@aparta/browser/build/class-names.ts';
import { layerOrder } from '@aparta/browser/build/layer-order.ts';
import { precompress } from '@aparta/browser/build/precompress.ts';
import { onlyReplies } from '@aparta/browser/build/only-replies.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/mostrador/',
  plugins: [react(), classNames(), layerOrder('reset', 'ui', 'page'), onlyReplies('body'), precompress()],
  // For Reacts that have no such hook; ours has it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    manifest: true,
    // The Content-Security-Policy allows no inline scripts and no data: in styles, and every supported browser preloads.
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
