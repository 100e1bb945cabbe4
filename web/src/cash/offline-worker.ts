// A service worker for the in-person screen alone, so that its bar code shows where a store has no signal. It keeps the
// screen's document and code, which are the same for everybody, and never an answer of the API: what was on the screen is
// in the device's storage (`session/cash-reference.ts`). Built by `build/offline-worker.ts`.

/** Of the build that it belongs to. */
declare const OFFLINE: {
  version: string;
  /** The script that its document loads. */
  entry: string;
  /** The scripts and styles of the screen, hashed by name. */
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
/** A signal that carries nothing is like none: after so long the kept document is shown. */
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
  // Between two builds the document may be the other one's: then another visit tries again.
  if (!shell.ok || !(await shell.clone().text()).includes(entry)) throw new Error('another build');
  const cache = await caches.open(CACHE);
  await cache.addAll(files);
  await cache.put(SHELL, shell);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** The network's document whenever it has one in time, so that no screen gets old. */
async function documentFor(request: Request): Promise<Response> {
  const kept = await keptOf(SHELL);
  if (!kept) return fetch(request);
  const fresh = fetch(request).then(
    (response) => (response.status < 500 ? response : kept),
    () => kept,
  );
  const enough = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  return Promise.race([fresh, enough]);
}

/** Its name holds its content's hash: the kept one is the one. */
async function fileFor(request: Request): Promise<Response> {
  return (await keptOf(new URL(request.url).pathname)) ?? fetch(request);
}

async function keptOf(path: string): Promise<Response | undefined> {
  const cache = await caches.open(CACHE);
  return cache.match(path, { ignoreVary: true });
}

export {};
