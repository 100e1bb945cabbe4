import { join } from 'node:path';
import { classNames } from '@aparta/browser/build/class-names.ts';
import { layerOrder } from '@aparta/browser/build/layer-order.ts';
import { offlineWorker } from '@aparta/browser/build/offline-worker.ts';
import { precompress } from '@aparta/browser/build/precompress.ts';
import { shapeOf } from '@aparta/browser/build/shape.ts';
import { tooOld } from '@aparta/browser/build/too-old.ts';
import { onlyReplies } from '@aparta/browser/build/only-replies.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apart } from './build/apart.ts';
import { chunks } from './build/chunks.ts';
import { installable } from './build/installable.ts';
import { APP } from './build/app.ts';
import { prerender } from './build/prerender.ts';

const { first, common } = chunks({
  entry: join(import.meta.dirname, APP),
  frame: /\/signed-in\.tsx$/,
  screens: /(?<!\/design|\/purchases)-page\.tsx$|\/purchase-list\.tsx$/,
  // So small that it would be merged with one screen's code, and bring that to the others.
  small: /\/when-idle\.ts$|\/data\/(logos|is-awaited|use-changes|refunds)\.ts$/,
  // Lists, forms, the profile, screens without the navigation.
  seldom:
    /\/(infiniteQueryObserver|useInfiniteQuery|mutationObserver|useMutation)\.js$|\/ui\/src\/((empty|steps)\.(tsx|module\.css)|drawings\/empty-shelf\.svg)|\/domain\/src\/(email|web)-address\.ts$|\/contract\/src\/(account|name-line|logout-later|sign-up|sessions|kept-sessions)\.ts$/,
});

/** Too few screens need these for them to be common; merged with one screen's code they would bring it to the others. */
const FEW =
  /\/ui\/src\/(two-column|ahead|save-and-share)\.(tsx|module\.css)$|\/(use-polling|download|save-and-share-copy)\.ts$|\/data\/merchants\.ts$/;

/** What both of its tabs load. */
const OF_PROFILE =
  /\/ui\/src\/tabs\.(tsx|module\.css)$|\/account\/profile-page\.module\.css$|\/copy\/profile-alerts\.ts$/;

/** What Home, the list and a purchase share. */
const OF_PURCHASES =
  /\/purchases\/(plan\.ts|deduction\.tsx|purchase-facts\.tsx|purchases\.module\.css|detail-loading\.tsx|statement-link\.ts)$|\/data\/purchases\.ts$|\/ui\/src\/progress\.(tsx|module\.css)$/;

/** A purchase with its plan. */
const OF_A_PURCHASE =
  /\/data\/(purchase|read-moving|read-claim)\.ts$|\/ui\/src\/timeline\.(tsx|module\.css)$/;

/**
 * The design page uses nearly every component: do not split the buyer's chunks for its sake. What a store owes back, that a
 * payment is undone, and the profile would be merged with what their screens do not need.
 */
const inScreens = (id: string) =>
  !/\/ui\/src\/design-|\/main\.tsx$|\/ui\/src\/option\.|\/copy\/(back-to-card|next-due|owed-back|undone)\.tsx$|\/unresolved-[^/]+$|\/use-undone\.ts$|\/data\/profile\.ts$/.test(
    id,
  );

/**
 * Shared chunks are named after all their screens, joined by ~; the first is enough. The first load names nearly every file, so
 * the hash is as short as the bundler takes it.
 */
const fileName = (name: string, extension: string) =>
  `assets/${name.includes('~') ? name.split('~')[0] : '[name]'}-[hash:7].${extension}`;

const sources = () => [react(), classNames(), layerOrder('reset', 'ui', 'page'), onlyReplies()];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    ...sources(),
    tooOld(),
    prerender({ entry: 'src/app/prerender.tsx', plugins: sources }),
    offlineWorker({
      worker: 'src/app/offline-worker.ts',
      app: APP,
      modules: [
        'src/app/signed-in.tsx',
        'src/app/seen-notice.tsx',
        'src/app/help-sheet.tsx',
        'src/data/end-later.ts',
        'src/home/home-page.tsx',
        'src/layaway/scanned.tsx',
        'src/layaway/barcode-page.tsx',
        'src/purchases/dashboard-page.tsx',
        'src/app/purchases-page.tsx',
        'src/purchases/purchase-list.tsx',
        'src/purchases/waiting.tsx',
        'src/purchases/nothing-active.tsx',
        'src/purchases/purchase-detail.tsx',
        'src/invoices/invoice-part.tsx',
        'src/invoices/invoice-standing.tsx',
        'src/purchases/ended.tsx',
        'src/purchases/plan-changes.tsx',
        'src/purchases/receipt-page.tsx',
        'src/cash/store-payment-page.tsx',
        '../ui/src/reference-picture.ts',
        // They say that there is no network.
        'src/purchases/pay-sheet.tsx',
        'src/purchases/cancel-sheet.tsx',
        'src/purchases/move-sheet.tsx',
        'src/purchases/help-links-sheet.tsx',
      ],
      documents: {
        // Not at its own address, whose document may carry a session.
        '': '/home',
        home: '/home',
        dashboard: '/dashboard',
        codigo: '/codigo/',
        cxcList: '/cxcList',
        saleCxcList: '/saleCxcList/',
        recibo: '/recibo/',
        onSitePaymentByTapi: '/onSitePaymentByTapi/',
        login: '/login',
      },
      still: '/sin-internet',
      others:
        'pullapartByClip threeDSByclipPA paymentByClib threeDSByclib ayudar apartado clientEdit buyerRegister'.split(
          ' ',
        ),
    }),
    installable({ pictures: join(import.meta.dirname, '../docs/pictures') }),
    // What a help link opens.
    apart({ name: 'ayudar', plugins: sources }),
    precompress(),
  ],
  define: {
    'import.meta.env.SEEN_SHAPE': JSON.stringify(
      shapeOf(
        ['../contract/src', 'src/data'].map((folder) => join(import.meta.dirname, folder)),
        // No buyer's device keeps what only the shop's people are answered, nor what fields are called in the documents.
        /^(counter-.*|fields)\.ts$/,
      ),
    ),
  },
  // Not what stands in for `light-dark()` (lightningcss: `Features.LightDark`), which no sheet uses.
  css: { lightningcss: { exclude: 1_048_576 } },
  // For Reacts that have no such hook; ours has it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    manifest: true,
    // The Content-Security-Policy admits inline scripts by their hash alone and no data: in styles, and every supported
    // browser preloads. What the app runs on is there already when a screen is asked for.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js'
          ? files.filter((file) => !/\/(main|base|rolldown-runtime)-[^/]+\.js$/.test(file))
          : files,
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // The document starts the app.
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, APP)],
      output: {
        // The first load names a hundred files: these weigh less there than base 64, and still tell versions apart.
        hashCharacters: 'base36',
        chunkFileNames: ({ name }) => fileName(name, 'js'),
        assetFileNames: ({ names: [name = ''] }) => fileName(name, '[ext]'),
        // Needed by every screen and changed only by upgrades: one file that stays cached.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              priority: 3,
              test: /\/node_modules\/(react|react-dom|wouter|regexparam|scheduler|valibot)\//,
            },
            { name: first, priority: 2 },
            { name: common, priority: 1 },
            // Of layaways alone, and of payments too.
            { name: 'steps', priority: 1, test: /\/ui\/src\/steps\./ },
            { name: 'profile', priority: 1, test: OF_PROFILE },
            { name: 'few', priority: 1, test: FEW },
            { name: 'choice', priority: 1, test: /\/ui\/src\/choice\./ },
            // Of receipts too.
            { name: 'purchases-copy', priority: 1, test: /\/purchases\/copy\.ts$/ },
            { name: 'purchases', priority: 1, test: OF_PURCHASES },
            { name: 'purchase', priority: 1, test: OF_A_PURCHASE },
            // Small shared modules, not worth a request each.
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2_000,
              test: inScreens,
            },
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
