import { keepWorker, type WorkerScope } from '../session/screen-worker.ts';

/**
 * Makes a screen open offline from now on, through a service worker of its own (`offline-worker.ts`). Does nothing
 * where the browser does not support or allow it.
 */
export async function stayReadable(scope: WorkerScope): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await keepWorker(scope);
    // Registering an existing worker does not check for a newer build.
    await registration.update();
  } catch {
    // Fails in private windows and on full devices; the picture can still be saved.
  }
}
