import { randomBytes } from 'node:crypto';

import type { Tx } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { changesOf, demandLength, type Changes } from './changes.ts';
import { insertCompany, lockCompany, updateCompany } from './store.ts';

/** What the operator says of a company. */
export interface CompanyEntry {
  readonly name: string;
  readonly phone: string;
}

/** Adds a company, without a picture yet. Returns its id. */
export async function addCompany(tx: Tx, entry: CompanyEntry): Promise<number> {
  check(entry);
  return insertCompany(tx, { ...entry, logo_file_name: `logo-${randomBytes(6).toString('hex')}.png` });
}

/** Changes what is given of a company. Refuses a company that is not there. */
export async function editCompany(
  tx: Tx,
  id: number,
  given: Partial<CompanyEntry>,
): Promise<Changes<CompanyEntry>> {
  check(given);
  const company = await lockCompany(tx, id);
  if (company === undefined) throw new RefusedChange('company_unknown', { id });
  const changes = changesOf({ name: company.name, phone: company.phone }, given);
  await updateCompany(tx, id, changes.after);
  return changes;
}

function check({ name, phone }: Partial<CompanyEntry>): void {
  if (name !== undefined) demandLength('name', name, 1, 120);
  if (phone !== undefined) demandLength('phone', phone, 0, 40);
}
