// A service worker for the store payment screen only, so that its bar code shows without a signal. It caches
// the screen's document and code, never API answers: the reference itself is in the device's storage
// (`session/cash-reference.ts`). Built by `build/offline-worker.ts`.

declare const OFFLINE: {
  version: string;
  /** The document's entry script. */
  entry: string;
  /** The screen's scripts and styles, with hashed names. */
  files: string[];
};

interface Lifecycle extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Lifecycle {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
declare const self: {
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', hear: (event: Lifecycle) => void): void;
  addEventListener(name: 'fetch', hear: (event: Fetching) => void): void;
};

const SHELL = '/onSitePaymentByTapi/';
const { version, entry, files } = OFFLINE;
const CACHE = `offline-${version}`;
/** On a connection this slow the cached document is shown. */
const PATIENCE_MS = 4_000;

self.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOthers());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(documentFor(request));
  else if (files.includes(pathname)) event.respondWith(fileFor(request));
});

async function fill(): Promise<void> {
  const shell = await fetch(SHELL, { cache: 'no-cache', headers: { accept: 'text/html' } });
  // During a deployment the document may belong to the other build; the next visit tries again.
  if (!shell.ok || !(await shell.clone().text()).includes(entry)) throw new Error('another build');
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  await cache.put(SHELL, shell);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Network first: the cached document only if the network fails or is too slow. */
async function documentFor(request: Request): Promise<Response> {
  const cached = await fromCache(SHELL);
  if (!cached) return fetch(request);
  const fresh = fetch(request).then(
    (response) => (response.status < 500 ? response : cached),
    () => cached,
  );
  const enough = new Promise<Response>((resolve) => setTimeout(() => resolve(cached), PATIENCE_MS));
  return Promise.race([fresh, enough]);
}

/** Names are content hashes, so the cached file is current. */
async function fileFor(request: Request): Promise<Response> {
  return (await fromCache(new URL(request.url).pathname)) ?? fetch(request);
}

async function fromCache(path: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(path, { ignoreVary: true });
}

export {};
