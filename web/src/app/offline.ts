import { trustedScriptUrl } from '@aparta/ui/trusted.ts';

const WORKER = '/offline-worker.js';

/**
 * Makes a screen open offline from now on, through a service worker of its own (`offline-worker.ts`). Does nothing
 * where the browser does not support or allow it.
 */
export async function stayReadable(scope: '/onSitePaymentByTapi/' | '/saleCxcList/'): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const worker = trustedScriptUrl(new URL(WORKER, location.origin).href);
    const registration = await navigator.serviceWorker.register(worker, { scope });
    // Registering an existing worker does not check for a newer build.
    await registration.update();
  } catch {
    // Fails in private windows and on full devices; the picture can still be saved.
  }
}
