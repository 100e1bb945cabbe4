/** A person as others may read them: the first name, and the initial of the next. 'Marisol Ramos Díaz' is 'Marisol R.' */
export function shortName(name: string): string {
  const [first = '', next] = name.trim().split(/\s+/);
  const initial = Array.from(next ?? '')[0]?.toUpperCase();
  return initial === undefined ? first : `${first} ${initial}.`;
}

/** What a stranger may read of a person: 'Marisol Ramos Díaz' is 'Marisol'. */
export function firstName(name: string): string {
  const [first = ''] = name.trim().split(/\s/);
  return first;
}
