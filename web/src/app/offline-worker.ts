// A service worker for the screens whose code is shown in a shop, so that it shows without a signal: one each. That of
// purchases shows what is pushed, too. It caches
// the screen's document and scripts, never API answers: the code itself is in the device's storage
// (`session/cash-reference.ts`, `session/pickup-codes.ts`). Built by `build/offline-worker.ts`.

declare const OFFLINE: {
  version: string;
  /** The document's entry script. */
  entry: string;
  /** Each screen's scripts and styles, with hashed names, by the path that it controls, which has its document. */
  files: Record<string, string[]>;
};

interface Lifecycle extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Lifecycle {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Pushing extends Lifecycle {
  readonly data: { json(): unknown } | null;
}
interface Pressing extends Lifecycle {
  readonly notification: Notification;
}
/** What the server pushes (`server/src/accounts/pushes/copy.ts`). */
interface Pushed {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly tag: string;
}
declare const self: {
  readonly location: Location;
  readonly registration: Pick<ServiceWorkerRegistration, 'scope' | 'showNotification'>;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', hear: (event: Lifecycle) => void): void;
  addEventListener(name: 'fetch', hear: (event: Fetching) => void): void;
  addEventListener(name: 'push', hear: (event: Pushing) => void): void;
  addEventListener(name: 'notificationclick', hear: (event: Pressing) => void): void;
};

const { version, entry } = OFFLINE;
const SHELL = new URL(self.registration.scope).pathname;
const files = OFFLINE.files[SHELL] ?? [];
const MINE = `offline-${SHELL}-`;
const CACHE = MINE + version;
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

self.addEventListener('push', (event) => {
  if (event.data === null) return;
  const { title, body, tag, url } = event.data.json() as Pushed;
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, data: url, icon: '/icon-192.png', lang: 'es-MX' }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  // Only we can push to it, but a press never leaves the product.
  const url = new URL(String(event.notification.data), self.location.origin);
  const isOurs = url.origin === self.location.origin;
  event.waitUntil(self.clients.openWindow(isOurs ? url.href : self.location.origin));
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
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
}

/** Also one of when a single screen was kept, whose name had no screen. */
function isOld(name: string): boolean {
  return name !== CACHE && (name.startsWith(MINE) || !name.includes('/'));
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
