const ALL = ['0.0.0.0', '::'];

/**
 * Where a server tells whether it is ready, or at `/healthz` whether it takes calls: on the one address of `HOST`, or on the loopback
 * where it listens on all.
 */
export function readyUrl(
  { HOST: given, PORT: port = '' }: Readonly<Record<string, string>>,
  probe: '/readyz' | '/healthz' = '/readyz',
): string {
  const host = given === undefined || given === '' || ALL.includes(given) ? '127.0.0.1' : given;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port || '3000'}${probe}`;
}
