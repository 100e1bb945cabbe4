/** The end of `work`, or an error after `ms`: what waits for ever does nothing else, and is tried again. */
export async function withinMs(ms: number, work: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no end within ${ms / 60_000} minutes`)), ms);
  try {
    await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
