import { trustedScriptUrl } from '@aparta/ui/trusted.ts';

const WORKER = '/offline-worker.js';
/** A screen that has a service worker of its own (`app/offline-worker.ts`). */
export type WorkerScope = '/onSitePaymentByTapi/' | '/saleCxcList/';

/** The screen's service worker, registered if it was not. Throws where the browser does not allow it. */
export function keepWorker(scope: WorkerScope): Promise<ServiceWorkerRegistration> {
  const worker = trustedScriptUrl(new URL(WORKER, location.origin).href);
  return navigator.serviceWorker.register(worker, { scope });
}
