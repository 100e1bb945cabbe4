import { trustedScriptUrl } from '@aparta/ui/trusted.ts';

const WORKER = '/offline-worker.js';
/** The only screen that it serves; every other one goes to the network as if it were not there. */
const SCOPE = '/onSitePaymentByTapi/';

/**
 * Makes this screen open without the server from now on, its code kept by a small worker (`offline-worker.ts`). Where the
 * browser has no such thing or forbids it, the screen needs the network to open, and nothing else changes.
 */
export async function stayReadable(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const worker = trustedScriptUrl(new URL(WORKER, location.origin).href);
    const registration = await navigator.serviceWorker.register(worker, { scope: SCOPE });
    // Registering what is registered does not look for a newer build.
    await registration.update();
  } catch {
    // Private windows and full devices say no; the picture can still be saved.
  }
}
