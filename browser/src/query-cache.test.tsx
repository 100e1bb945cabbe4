import { MutationObserver, onlineManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { openCache } from './query-cache.ts';

let sent = 0;
const noNetwork = () => {
  sent += 1;
  return Promise.reject(new ApiError({ kind: 'network' }, ''));
};

beforeEach(() => {
  sent = 0;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  onlineManager.setOnline(false);
});
afterEach(() => {
  vi.restoreAllMocks();
  onlineManager.setOnline(true);
});

test('what is pressed without internet fails at once, and is not sent when the internet is back', async () => {
  const pressed = new MutationObserver(openCache(), { mutationFn: noNetwork });
  await expect(pressed.mutate()).rejects.toThrow('network');
  onlineManager.setOnline(true);
  expect([sent, pressed.getCurrentResult().status]).toEqual([1, 'error']);
});

test('a screen opened offline fails at once', async () => {
  await expect(openCache().fetchQuery({ queryKey: ['list'], queryFn: noNetwork })).rejects.toThrow('network');
  expect(sent).toBe(1);
});
