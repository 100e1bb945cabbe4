import { capabilityOf, readCapability } from '../../platform/capability.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Limiter } from '../../platform/limiter.ts';
import type { Buyer } from '../../platform/principal.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { recordAccountAct } from '../acts/store.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import {
  type CalendarLink,
  deleteCalendarLinkOf,
  findCalendarLink,
  findCalendarOwner,
  replaceCalendarLink,
} from './store.ts';

export interface CalendarDeps {
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly publicOrigin: string;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/** A buyer's address, as their calendar is given it. */
export interface CalendarAddress {
  readonly url: string;
  readonly madeAt: Date;
}

const PURPOSE = 'calendar';

/** The caller's; undefined without one. */
export async function ownCalendar(deps: CalendarDeps, caller: Buyer): Promise<CalendarAddress | undefined> {
  const link = await findCalendarLink(deps.db, caller.id);
  return link && addressOf(deps, link);
}

/** Makes the caller's; the one before leads nowhere from then on. Refuses TOO_MANY. */
export async function makeCalendar(
  deps: CalendarDeps,
  caller: Buyer,
  device: string,
): Promise<CalendarAddress> {
  await deps.limiter.take('calendar', String(caller.id), deps.limits.calendarsPerBuyer);
  const link = await transaction(deps.db, async (tx) => {
    await recordAccountAct(tx, { buyerId: caller.id, act: 'calendar_made', device });
    return replaceCalendarLink(tx, caller.id);
  });
  return addressOf(deps, link);
}

/** Revokes the caller's. */
export async function endCalendar({ db }: CalendarDeps, caller: Buyer, device: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (await deleteCalendarLinkOf(tx, caller.id))
      await recordAccountAct(tx, { buyerId: caller.id, act: 'calendar_ended', device });
  });
}

/** Whose calendar an address's code opens; undefined for one that was revoked, or that we did not write. */
export async function calendarOwner(
  { db, keyRing }: Pick<CalendarDeps, 'db' | 'keyRing'>,
  code: string,
): Promise<number | undefined> {
  const id = readCapability(keyRing, PURPOSE, code);
  return id === undefined ? undefined : findCalendarOwner(db, id);
}

function addressOf({ keyRing, publicOrigin }: CalendarDeps, { id, madeAt }: CalendarLink): CalendarAddress {
  return { url: `${publicOrigin}/calendario/${capabilityOf(keyRing, PURPOSE, id)}.ics`, madeAt };
}
