/*
 * Loaded before a program's own code: our parent holds the other end of stdin and never writes. The pipe closes
 * when the parent is gone, however it died, and so are we. Works alike on every system.
 */
process.stdin.on('error', () => process.exit(1));
process.stdin.on('end', () => process.exit(1));
process.stdin.resume();
(process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
