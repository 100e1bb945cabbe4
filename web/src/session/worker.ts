import { trustedScriptUrl } from '@aparta/ui/trusted.ts';

const WORKER = '/offline-worker.js';
/** Where it was registered when two screens had a worker each; the same script runs there. */
const FORMER = /\/(onSitePaymentByTapi|saleCxcList)\/$/;

/** The app's service worker, registered if it was not. Throws where the browser does not allow it. */
export function keepWorker(): Promise<ServiceWorkerRegistration> {
  const worker = trustedScriptUrl(new URL(WORKER, location.origin).href);
  return navigator.serviceWorker.register(worker, { scope: '/' });
}

/** Its registration, if there is one. */
export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  return (await navigator.serviceWorker.getRegistrations()).find(
    ({ scope }) => new URL(scope).pathname === '/',
  );
}

/** The registrations that it replaces. */
export async function formerWorkers(): Promise<ServiceWorkerRegistration[]> {
  return (await navigator.serviceWorker.getRegistrations()).filter(({ scope }) => FORMER.test(scope));
}
