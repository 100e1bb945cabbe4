import { trustedScriptUrl } from '@aparta/ui/trusted.ts';
import { BASE } from './paths.ts';

/** Makes the counter open without network from now on (`offline-worker.ts`), where the browser supports and allows it. */
export async function keepApp(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !navigator.onLine) return;
  try {
    const worker = trustedScriptUrl(new URL(`${BASE}/offline-worker.js`, location.origin).href);
    const registration = await navigator.serviceWorker.register(worker, { scope: BASE });
    // Registering an existing worker does not check for a newer build.
    await registration.update();
  } catch {
    // Fails in private windows, on full devices and without network.
  }
}
