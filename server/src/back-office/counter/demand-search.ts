import { may } from '@aparta/domain/staff-rights';

import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Search, searchOf } from './search.ts';

/** Reads what somebody looks for. Refuses ROLE_NOT_ALLOWED who may not find buyers, and looks for one. */
export function demandSearch({ role }: Staff, typed: string | undefined): Search | undefined {
  const search = typed === undefined ? undefined : searchOf(typed);
  if ((search?.by === 'name' || search?.by === 'phone') && !may(role, 'find_buyers'))
    throw new Refusal('ROLE_NOT_ALLOWED');
  return search;
}
