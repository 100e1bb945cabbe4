import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { insertConsents, textsInForce } from '../legal/store.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nameFromEmail, normaliseEmail } from './email.ts';
import { rememberOwner } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import { passwordProblem } from './password-rule.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { insertBuyer, isEmailTaken } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  /** `REQUIRE_TERMS`. */
  readonly requireTerms: boolean;
}

export interface SignUp {
  readonly user: string;
  readonly userName: string;
  readonly phone: string;
  readonly password: string;
  readonly termsAccepted: boolean;
  readonly termsVersion: string | undefined;
  readonly address: string;
  readonly deviceId?: string | undefined;
  /** What the browser called itself; '' when it said nothing. */
  readonly userAgent: string;
}

/**
 * Opens an account and returns its id (spec §4, §5, rules/accounts#sign-up). Refuses a weak password, unaccepted terms, terms
 * that are not in force any more, a taken email address.
 */
export async function signUp(deps: Deps, input: SignUp): Promise<number> {
  const email = normaliseEmail(input.user);
  await deps.limiter.take('sign-up', ipPrefixOf(input.address), deps.limits.signUpPerAddress);
  const problem = await passwordProblem(input.password, email);
  if (problem !== undefined) throw new Refusal(problem, { fields: { password: problem } });
  if (deps.requireTerms && !input.termsAccepted) throw new Refusal('TERMS_NOT_ACCEPTED');
  const passwordHash = await deps.passwords.hash(input.password);
  const buyerId = await transaction(deps.db, async (tx) => {
    const agreed = input.termsAccepted ? await textsInForce(tx) : [];
    const terms = agreed.find(({ kind }) => kind === 'terms');
    // Evidence says what was shown, so nobody agrees to words that were not. A form that names none means what is in force.
    if (terms !== undefined && terms.version !== (input.termsVersion ?? terms.version)) {
      throw new Refusal('TERMS_CHANGED', { version: terms.version });
    }
    const id = await insertBuyer(tx, {
      email,
      userName: input.userName === '' ? nameFromEmail(email) : input.userName,
      phone: input.phone,
      passwordHash,
      termsAccepted: input.termsAccepted,
      termsVersion: terms?.version ?? input.termsVersion,
    });
    await insertConsents(tx, id, agreed, { address: input.address, userAgent: input.userAgent });
    await sendEmail(tx, { topic: 'welcome', dedupeKey: `buyer:${id}`, buyerId: id, facts: {} });
    return id;
  });
  await rememberOwner(deps.limiter, { ...input, kind: 'buyer', name: email });
  return buyerId;
}

/** Whether an email address has an account already; limited per address, since anybody may ask (rules/accounts#email-lookup). */
export async function lookUpEmail(
  deps: Pick<Deps, 'db' | 'limiter' | 'limits'>,
  input: { email: string; address: string },
): Promise<boolean> {
  await deps.limiter.take('lookup', ipPrefixOf(input.address), deps.limits.lookUpPerAddress);
  return isEmailTaken(deps.db, normaliseEmail(input.email));
}
