/** What names the caches of each build, by application; those of the buyers' earlier workers had another name. */
export const CACHES = { buyers: 'aparta', counter: 'mostrador' } as const;
export type Application = keyof typeof CACHES;

/**
 * The caches that a build's worker drops: all of its application but its own and that of the build before, whose tabs may still be
 * open. `names` are in the order in which they were made.
 */
export function oldCaches(of: Application, names: readonly string[], version: string): readonly string[] {
  const isOf = (application: Application) => (name: string) => name.startsWith(`${CACHES[application]}-`);
  const current = `${CACHES[of]}-${version}`;
  const before = names.filter((name) => isOf(of)(name) && name !== current).at(-1);
  // The counter has been there under this name alone: what has none of them is the buyers'.
  const isOurs = of === 'counter' ? isOf('counter') : (name: string) => !isOf('counter')(name);
  return names.filter((name) => isOurs(name) && name !== current && name !== before);
}
