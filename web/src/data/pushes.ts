import { endPush, getPushKey, savePush } from '@aparta/contract/pushes';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { session } from '../session/session.ts';
import { pushedBuyer } from '../session/pushed-buyer.ts';
import { findWorker, formerWorkers, keepWorker } from '../session/worker.ts';

/**
 * Whether this browser shows what is pushed: `none` where it or the server cannot, `blocked` where its owner said no to it, which
 * only its settings take back.
 */
export type Pushes = 'none' | 'blocked' | 'off' | 'on';

export const pushesQuery = queryOptions({
  queryKey: ['pushes'],
  queryFn: readPushes,
  // What it tells the server about this browser is told once.
  staleTime: Infinity,
});

export const turningPushes = (queries: QueryClient) =>
  mutationOptions({
    scope: { id: 'pushes' },
    mutationFn: (wanted: boolean) => (wanted ? turnOn() : turnOff()),
    onSuccess: (now: Pushes) => queries.setQueryData(pushesQuery.queryKey, now),
  });

/** Lets this browser forget what it was to be told; who signs in next is asked again. Never fails. */
export async function forgetPushes(): Promise<void> {
  try {
    await (await findSubscription())?.unsubscribe();
    pushedBuyer.clear();
  } catch {
    // The server ends it with the session.
  }
}

const isAble = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

async function readPushes({ signal }: { signal: AbortSignal }): Promise<Pushes> {
  if (!isAble()) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  const key = (await call(getPushKey, {}, { signal })).data.vapidKey;
  if (key === null) return 'none';
  // Another's does not become theirs: they have not been asked.
  if (pushedBuyer.isAnother(session.user()?.id)) await forgetPushes();
  if (Notification.permission === 'granted') await moveSubscription(key).catch(() => {});
  const subscription = await findSubscription();
  if (subscription === undefined || Notification.permission !== 'granted') return 'off';
  // Said again, so that it belongs to the session of today.
  await save(subscription);
  return 'on';
}

async function turnOn(): Promise<Pushes> {
  // First: browsers ask only while a press is fresh.
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return answer === 'denied' ? 'blocked' : 'off';
  const { vapidKey } = (await call(getPushKey, {})).data;
  if (vapidKey === null) return 'none';
  const worker = await started(await keepWorker());
  // One of another key of ours hears nothing.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  await save(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidKey }));
  return 'on';
}

async function turnOff(): Promise<Pushes> {
  const subscription = await findSubscription();
  if (subscription !== undefined) {
    await call(endPush, { body: { endpoint: subscription.endpoint } });
    await subscription.unsubscribe();
    pushedBuyer.clear();
  }
  return 'off';
}

async function findSubscription(): Promise<PushSubscription | undefined> {
  if (!isAble()) return undefined;
  for (const worker of [await findWorker(), ...(await formerWorkers())]) {
    const subscription = await worker?.pushManager.getSubscription();
    if (subscription) return subscription;
  }
  return undefined;
}

/** From the worker that only one screen had to the app's. The server hears of the new one before the old one ends. */
async function moveSubscription(applicationServerKey: string): Promise<void> {
  for (const former of await formerWorkers()) {
    const old = await former.pushManager.getSubscription();
    if (old === null) continue;
    const worker = await started(await keepWorker());
    await save(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
    await call(endPush, { body: { endpoint: old.endpoint } });
    await former.unregister();
  }
}

async function save(subscription: PushSubscription): Promise<void> {
  const buyerId = session.user()?.id;
  const { keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await call(savePush, { body: { endpoint: subscription.endpoint, p256dh, auth } });
  if (buyerId !== undefined) pushedBuyer.set(buyerId);
}

/** A worker that just came has to be active before it can subscribe. */
async function started(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  const coming = registration.installing ?? registration.waiting;
  if (registration.active !== null || coming === null) return registration;
  await new Promise<void>((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve();
      else if (coming.state === 'redundant') reject(new Error('the worker did not start'));
    });
  });
  return registration;
}
