// What an application's service worker does without network: it brings the documents and scripts with which somebody reads what they
// saw. It never keeps an answer of the API; what was seen is in the device's storage (`seen.ts`).
// Built by `build/offline-worker.ts`.

import { setCacheNameDetails } from 'workbox-core/setCacheNameDetails.js';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { addPlugins } from 'workbox-precaching/addPlugins.js';
import { matchPrecache } from 'workbox-precaching/matchPrecache.js';
import { precache } from 'workbox-precaching/precache.js';
import { registerRoute } from 'workbox-routing/registerRoute.js';
import { NetworkOnly } from 'workbox-strategies/NetworkOnly.js';
import { CACHES, oldCaches, type Application } from './caches.ts';

declare const OFFLINE: {
  version: string;
  /** The documents' entry script. */
  entry: string;
  /** Scripts and styles, with hashed names. */
  files: readonly string[];
  /** Where they are. */
  assets: string;
  /** The address of each document, by the first segment of its screens' paths. */
  documents: Readonly<Record<string, string>>;
  /** Of all documents, each once. */
  addresses: readonly string[];
  /** What stands in for a screen that needs the network, where there is such, and the first segments of their paths. */
  still?: string;
  others: readonly string[];
};

interface Lifecycle extends Event {
  waitUntil(done: Promise<unknown>): void;
}
declare const self: {
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', hear: (event: Lifecycle) => void): void;
};

const { version, entry, files, assets, documents, addresses, still, others } = OFFLINE;
/** On a connection this slow the kept document is shown. */
const PATIENCE_S = 4;

/** Keeps what the build names, and brings it where the network does not. */
export function workOffline(application: Application): void {
  // Of each build its own, so that a tab that is open while a new one comes still finds its scripts.
  setCacheNameDetails({ prefix: CACHES[application], precache: version, suffix: '' });
  addPlugins([
    {
      // During a deployment a document may belong to the other build; the next visit tries again.
      cacheWillUpdate: async ({ request, response }) => {
        const { pathname } = new URL(request.url);
        const isSame = files.includes(pathname) || pathname === still;
        return response.ok && (isSame || (await response.clone().text()).includes(entry)) ? response : null;
      },
    },
  ]);
  precache([
    ...files.map((url) => ({ url, revision: null })),
    ...addresses.map((url) => ({ url, revision: version })),
  ]);
  self.addEventListener('install', () => void self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(dropOld(application)));
  registerRoute(
    ({ request, url }) => isPage(request) && segmentOf(url) in documents,
    new NetworkOnly({
      networkTimeoutSeconds: PATIENCE_S,
      plugins: [
        insteadOf((url) => documents[segmentOf(url)]),
        {
          fetchDidSucceed: async ({ response }) => {
            if (response.status >= 500) throw new Error('no document');
            return response;
          },
        },
      ],
    }),
  );
  registerRoute(
    ({ request, url }) => isPage(request) && others.includes(segmentOf(url)),
    new NetworkOnly({ plugins: [insteadOf(() => still)] }),
  );
  /** Names are content hashes, so a kept file is current, whichever build kept it. */
  registerRoute(
    ({ url }) => url.origin === self.location.origin && url.pathname.startsWith(assets),
    async ({ request }) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
  );
}

const segmentOf = ({ pathname }: URL) => pathname.split('/')[1]?.toLowerCase() ?? '';
const isPage = (request: Request) => request.mode === 'navigate';

/** Network first, always: what is kept stands in where it fails, and of a screen that can be read where it is too slow. */
const insteadOf = (document: (url: URL) => string | undefined): WorkboxPlugin => ({
  handlerDidError: async ({ request }) => {
    const kept = await matchPrecache(document(new URL(request.url)) ?? still ?? '');
    return kept ? marked(kept) : fetch(request);
  },
});

/** The document says that the network did not bring it. */
async function marked(kept: Response): Promise<Response> {
  const html = (await kept.text()).replace('<html', '<html data-kept');
  return new Response(html, { status: kept.status, headers: kept.headers });
}

async function dropOld(application: Application): Promise<void> {
  const old = oldCaches(application, await caches.keys(), version);
  await Promise.all(old.map((name) => caches.delete(name)));
}
