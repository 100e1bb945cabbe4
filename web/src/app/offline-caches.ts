/** What names the caches of each build; those of earlier workers had another name. */
export const CACHES = 'aparta';

/**
 * The caches that a build's worker drops: all but its own and that of the build before, whose tabs may still be open. `names` are in
 * the order in which they were made.
 */
export function oldCaches(names: readonly string[], version: string): readonly string[] {
  const current = `${CACHES}-${version}`;
  const before = names.filter((name) => name.startsWith(`${CACHES}-`) && name !== current).at(-1);
  return names.filter((name) => name !== current && name !== before);
}
