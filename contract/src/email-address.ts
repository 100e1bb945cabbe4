import { isEmailAddress } from '@aparta/domain/email-address';
import * as v from 'valibot';

import { line } from './text.ts';

/** One mailbox, spelt plainly. Apart from `text.ts`, which is in the first load. */
export const emailAddress = v.pipe(line(254), v.check(isEmailAddress, 'one plain email address'));
