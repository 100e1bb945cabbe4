// The service worker of the app: without network it brings the documents and scripts with which a buyer reads what they saw, and it
// shows what is pushed.

import { workOffline } from '@aparta/browser/offline/worker.ts';

interface Pushing extends Event {
  waitUntil(done: Promise<unknown>): void;
  readonly data: { json(): unknown } | null;
}
interface Pressing extends Event {
  waitUntil(done: Promise<unknown>): void;
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
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  addEventListener(name: 'push', hear: (event: Pushing) => void): void;
  addEventListener(name: 'notificationclick', hear: (event: Pressing) => void): void;
};

workOffline('buyers');

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
