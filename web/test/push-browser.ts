import { onTestFinished, vi } from 'vitest';

/** A browser that can be pushed to, until the test ends: its owner's answer, and whether it is subscribed. */
export function pushBrowser({ answer = 'granted' as NotificationPermission, isOn = false } = {}) {
  const subscription = {
    endpoint: 'https://push.example/1',
    toJSON: () => ({ keys: { p256dh: 'B', auth: 'A' } }),
    unsubscribe: async () => {
      browser.isOn = false;
      return true;
    },
  };
  const registration = {
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
  const notification = {
    permission: (isOn ? 'granted' : 'default') as NotificationPermission,
    requestPermission: async () => {
      notification.permission = answer;
      return answer;
    },
  };
  const browser = { isOn, notification };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', notification);
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register: async () => registration, getRegistration: async () => registration },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });
  return browser;
}
