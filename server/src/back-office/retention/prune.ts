import { ACT_PRUNINGS } from '../../accounts/acts/retention.ts';
import { BUYER_PRUNINGS } from '../../accounts/buyers/retention.ts';
import { DEVICE_PRUNINGS } from '../../accounts/devices/retention.ts';
import { PASSKEY_PRUNINGS } from '../../accounts/passkeys/retention.ts';
import { PUSH_PRUNINGS } from '../../accounts/pushes/retention.ts';
import { SERVICE_ACCOUNT_PRUNINGS } from '../../accounts/service-accounts/retention.ts';
import { SESSION_PRUNINGS } from '../../accounts/sessions/retention.ts';
import { STAFF_PRUNINGS } from '../../accounts/staff/retention.ts';
import { PICTURE_PRUNINGS } from '../../catalogue/pictures/retention.ts';
import { CARD_PRUNINGS } from '../../payments/cards/retention.ts';
import { NUMBER_PRUNINGS } from '../../purchases/cash-references/retention.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Pruning } from '../../platform/db/pruning.ts';
import { EMAIL_PRUNINGS } from '../../platform/email/retention.ts';
import type { Log } from '../../platform/logging.ts';
import { PLATFORM_PRUNINGS } from '../../platform/retention.ts';
import { WEBHOOK_PRUNINGS } from '../webhooks/retention.ts';
import { HAND_OVER_PRUNINGS } from '../../purchases/hand-over/retention.ts';
import { REFERENCE_PRUNINGS } from '../../purchases/layaways/retention.ts';

/** Rows of one statement, and statements of one night for each kind: tomorrow's run forgets the rest. */
const ROWS_AT_ONCE = 1_000;
const MOST_ROUNDS = 100;

/** What is forgotten; each owner says when. Never money: the books, and what they refer to, stay. */
const PRUNINGS: readonly Pruning[] = [
  ...SESSION_PRUNINGS,
  ...BUYER_PRUNINGS,
  ...SERVICE_ACCOUNT_PRUNINGS,
  ...STAFF_PRUNINGS,
  ...DEVICE_PRUNINGS,
  ...PASSKEY_PRUNINGS,
  ...PUSH_PRUNINGS,
  ...ACT_PRUNINGS,
  ...EMAIL_PRUNINGS,
  ...CARD_PRUNINGS,
  ...NUMBER_PRUNINGS,
  ...REFERENCE_PRUNINGS,
  ...HAND_OVER_PRUNINGS,
  ...WEBHOOK_PRUNINGS,
  ...PICTURE_PRUNINGS,
  ...PLATFORM_PRUNINGS,
];

/** Forgets what nobody needs any more, a thousand rows at a time. Safe to run at any time, and twice at once. */
export async function prune(db: Db, log: Log): Promise<void> {
  for (const { what, prune: once } of PRUNINGS) {
    let rows = 0;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const more = await once(db, ROWS_AT_ONCE);
      rows += more;
      if (more < ROWS_AT_ONCE) break;
    }
    if (rows > 0) log.info({ what, rows }, 'let go');
  }
}
