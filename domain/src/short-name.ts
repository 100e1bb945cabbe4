/** A person as others may read them: the first name, and the initial of the next. 'Marisol Ramos Díaz' is 'Marisol R.' */
export function shortName(name: string): string {
  const [, next] = name.trim().split(/\s+/);
  const initial = Array.from(next ?? '')[0]?.toUpperCase();
  return initial === undefined ? firstName(name) : `${firstName(name)} ${initial}.`;
}

/** What a stranger may read of a person: 'Marisol Ramos Díaz' is 'Marisol'. Who is asked for a user name may type their email address. */
export function firstName(name: string): string {
  const [first = ''] = name.trim().split(/\s/);
  return first.replace(/(.)@.*/, '$1');
}
