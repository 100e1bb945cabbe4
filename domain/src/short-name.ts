import { withoutUnseen } from './seen.ts';
import { withoutLink } from './web-address.ts';

/** Names kept before these were refused may have addresses, and marks that would turn the words beside the name backwards. */
const cleaned = (name: string) => withoutLink(withoutUnseen(name)).trim();

const wordsOf = (name: string) => cleaned(name).split(/\s+/);

/** A person as others may read them: the first name, and the initial of the next. 'Marisol Ramos Díaz' is 'Marisol R.' */
export function shortName(name: string): string {
  const [, next] = wordsOf(name);
  const initial = Array.from(next ?? '')[0]?.toUpperCase();
  return initial === undefined ? firstName(name) : `${firstName(name)} ${initial}.`;
}

/** The whole name of whoever shows that they come for their own: to be compared with an identification, and no email address either. */
export function wholeName(name: string): string {
  return cleaned(name).replace(/(\S)@\S*/g, '$1');
}

/** What a stranger may read of a person: 'Marisol Ramos Díaz' is 'Marisol'. Who is asked for a user name may type their email address. */
export function firstName(name: string): string {
  const [first = ''] = wordsOf(name);
  return first.replace(/(.)@.*/, '$1');
}
