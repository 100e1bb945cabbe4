import { holdsWebAddress } from '@aparta/domain/web-address';
import * as v from 'valibot';

import { line } from './text.ts';

/** One line of a name that strangers read in emails: no address, which would be a link there. Apart: few screens ask for a name. */
/* @__NO_SIDE_EFFECTS__ */
export function nameLine(max: number) {
  return v.pipe(
    line(max),
    v.check((name) => !holdsWebAddress(name), 'a web address'),
  );
}
