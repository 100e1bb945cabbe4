import { isMainThread } from 'node:worker_threads';

/*
 * Loaded before a program's own code, so that we go when our parent is gone, however it died. A fork's channel to it closes then.
 * Of another program it holds the other end of stdin, and never writes: that pipe closes. Works alike on every system.
 */
const exit = process.exit.bind(process, 1); // a test runner forbids its tests this
if (process.connected) {
  process.once('disconnect', exit);
} else if (isMainThread) {
  process.stdin.on('error', exit);
  process.stdin.on('end', exit);
  process.stdin.resume();
  (process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
}
