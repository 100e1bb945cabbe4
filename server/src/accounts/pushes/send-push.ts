import { transaction } from '../../platform/db/transaction.ts';
import type { EmailFacts, WarningFacts } from '../../platform/email/copy.ts';
import { linksFrom } from '../../platform/email/links.ts';
import type { Reminder, ReminderOf } from '../../platform/email/reminder-copy.ts';
import type { Log } from '../../platform/logging.ts';
import { composePush, type PushText } from './copy.ts';
import { isOfService, type PushDeps } from './save-push.ts';
import { type DuePush, findPush } from './due-push.read-model.ts';
import { dropGonePush } from './store.ts';

export interface SendPushDeps extends PushDeps {
  readonly publicOrigin: string;
  /** Where a push service finds us: an email address. */
  readonly pushContact: string;
  readonly reminder: (
    of: ReminderOf & { readonly buyerId: number; readonly email: string },
  ) => Promise<Reminder | undefined>;
  readonly endWarning: (of: {
    readonly outboxId: number;
    readonly buyerId: number;
    readonly purchaseId: number;
  }) => Promise<WarningFacts | undefined>;
}

/** A phone that is off for longer is not told: by then the email was read. */
const LIFE_SECONDS = 86_400;
/** The push service knows the browser no more (RFC 8030, 7.3). */
const GONE = ['404', '410'];
/** It is busy, or away: worth another try. Its other answers would be the same again. */
const BUSY = /^(408|429|5\d\d|\D.*)$/;

/**
 * Tells one browser what an email tells its buyer, encrypted for it alone. Throws when its push service is away: it is tried again
 * for a day. Run twice it may be told twice; the second takes the first one's place on the screen.
 */
export async function sendPush(
  deps: SendPushDeps,
  which: { readonly outboxId: number; readonly subscriptionId: string },
  log: Log,
): Promise<void> {
  if (deps.pushKeys === undefined) return;
  const push = await findPush(deps.db, which);
  if (push === undefined || !isOfService(deps, push.endpoint)) return;
  const text = await textOf(deps, push);
  if (text === undefined) return;
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint: push.endpoint, keys: { p256dh: push.publicKey, auth: push.authSecret } },
    JSON.stringify(text),
    { vapidDetails: { subject: `mailto:${deps.pushContact}`, ...deps.pushKeys }, TTL: LIFE_SECONDS },
  );
  const posted = await deps.outside.post(push.endpoint, asSent(headers), body);
  if (posted.isTaken) return;
  const { problem } = posted;
  if (GONE.includes(problem)) return transaction(deps.db, (tx) => dropGonePush(tx, push));
  if (BUSY.test(problem)) throw new Error(`the push service did not take it: ${problem}`);
  log.warn({ subscriptionId: push.id, problem }, 'a push service refused');
}

/** What it says; undefined when nobody waits for it any more. */
async function textOf(
  deps: SendPushDeps,
  { topic, facts, buyerId, recipient, outboxId }: DuePush,
): Promise<PushText | undefined> {
  const links = linksFrom(deps.publicOrigin);
  if (topic === 'end_warned') {
    const { purchaseId } = facts as WarningFacts;
    const now = await deps.endWarning({ outboxId, buyerId, purchaseId });
    return now && composePush({ topic, facts: now }, links);
  }
  if (topic !== 'payment_due') return composePush({ topic, facts: facts as EmailFacts }, links);
  const reminder = await deps.reminder({ ...(facts as ReminderOf), buyerId, email: recipient });
  return reminder && composePush({ topic, reminder }, links);
}

const asSent = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'content-length'),
  );
