import { formerWorkers, keepWorker } from '../session/worker.ts';

/**
 * Makes what was seen open without network from now on, through the app's service worker (`offline-worker.ts`). Does nothing
 * where the browser does not support or allow it.
 */
export async function keepApp(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !navigator.onLine) return;
  try {
    const registration = await keepWorker();
    // Registering an existing worker does not check for a newer build.
    await registration.update();
    // What they are told is moved first (`data/pushes.ts`).
    for (const former of await formerWorkers())
      if ((await former.pushManager?.getSubscription()) === null) await former.unregister();
  } catch {
    // Fails in private windows, on full devices and without network.
  }
}
