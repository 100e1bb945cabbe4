import { onTestFinished, vi } from 'vitest';

/**
 * A browser that can be pushed to, until the test ends: its owner's answer, whether it is subscribed, and whether that is by the
 * worker that one screen had once.
 */
export function pushBrowser({
  answer = 'granted' as NotificationPermission,
  isOn = false,
  wasOn = false,
} = {}) {
  const subscription = {
    endpoint: 'https://push.example/1',
    toJSON: () => ({ keys: { p256dh: 'B', auth: 'A' } }),
    unsubscribe: async () => {
      browser.isOn = false;
      return true;
    },
  };
  const registration = {
    scope: `${location.origin}/`,
    active: {},
    installing: null,
    waiting: null,
    pushManager: {
      getSubscription: async () => (browser.isOn ? subscription : null),
      subscribe: async () => {
        browser.isOn = true;
        return subscription;
      },
    },
  };
  const former = {
    scope: `${location.origin}/saleCxcList/`,
    pushManager: { getSubscription: async () => ({ ...subscription, endpoint: 'https://push.example/0' }) },
    unregister: async () => (browser.wasOn = false),
  };
  const notification = {
    permission: (isOn || wasOn ? 'granted' : 'default') as NotificationPermission,
    requestPermission: async () => {
      notification.permission = answer;
      return answer;
    },
  };
  const browser = { isOn, wasOn, notification };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', notification);
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: async () => registration,
      getRegistrations: async () => (browser.wasOn ? [registration, former] : [registration]),
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });
  return browser;
}
