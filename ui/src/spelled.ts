/** A number in its groups as somebody dictates it: '1100 0048 213' as '1 1 0 0, 0 0 4 8, 2 1 3'; one read as a number loses its zeros. */
export function spelled(groups: string): string {
  return groups
    .split(' ')
    .map((group) => [...group].join(' '))
    .join(', ');
}
