import { mexicoCityDate } from '@aparta/domain/calendar';

import { recordAccountAct } from '../../accounts/acts/store.ts';
import { provePassword } from '../../accounts/buyers/prove-password.ts';
import type { AccountLimits } from '../../accounts/credentials/limits.ts';
import type { Passwords } from '../../accounts/credentials/passwords.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Limiter } from '../../platform/limiter.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { exportCopy } from './copy.ts';
import { readEverything } from './read-model.ts';

export interface ExportDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  readonly productName: string;
}

/** Of invoices' files; all else of a buyer is small. */
const MOST_FILE_BYTES = 8_000_000;

/**
 * All that we keep of the caller, with their password, as a ZIP, and that they took it. Refuses WRONG_PASSWORD, which ends no
 * session, and TOO_MANY.
 */
export async function exportOwnData(
  deps: ExportDeps,
  caller: Buyer,
  input: {
    readonly password: string;
    readonly address: string;
    readonly deviceId?: string | undefined;
    readonly device: string;
  },
): Promise<{ readonly fileName: string; readonly bytes: Buffer }> {
  const { password, device, ...from } = input;
  await provePassword(deps, caller, password, from);
  await deps.limiter.take('export', String(caller.id), deps.limits.exportsPerBuyer);
  await transaction(deps.db, (tx) =>
    recordAccountAct(tx, { buyerId: caller.id, act: 'data_exported', device }),
  );
  const everything = await readEverything(deps.db, caller.id, { fileBytes: MOST_FILE_BYTES });
  if (everything === undefined) throw new Refusal('NOT_FOUND');
  const at = new Date();
  // Seldom wanted: loaded when it is.
  const { packData } = await import('./pack-data.ts');
  return {
    fileName: exportCopy.fileName(mexicoCityDate(at)),
    bytes: await packData(everything, { productName: deps.productName, at }),
  };
}
