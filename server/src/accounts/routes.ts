import * as contract from '@aparta/contract/account';
import type { Reply } from '@aparta/contract/endpoint';
import * as kept from '@aparta/contract/kept-sessions';

import type { Db } from '../platform/db/db.ts';
import { keptCookies, keptOf, noKeptCookies } from '../platform/http/kept-cookie.ts';
import { isFromOurPage } from '../platform/http/own-page.ts';
import type { PageForm } from '../platform/http/page-forms.ts';
import { type RawCall, route, success, type Route } from '../platform/http/route.ts';
import type { Limiter } from '../platform/limiter.ts';
import { Refusal } from '../platform/refusal.ts';
import { deviceOf } from './credentials/browser.ts';
import type { AccountLimits } from './credentials/limits.ts';
import { askForConfirmation, confirmEmail } from './buyers/confirm-email.ts';
import { changeOwnProfile, ownProfile, turnOwnReminders } from './buyers/own-profile.ts';
import type { Passwords } from './credentials/passwords.ts';
import { presentBuyer, presentSession, presentUserRecord } from './present.ts';
import { askForReset, changePassword, ownerByResetCode } from './buyers/reset-password.ts';
import { endKeptOf, endKeptOfCookie, renewSession } from './sessions/kept-session.ts';
import { endSession, endSessionLater, endSessionOf, sessionsOf } from './sessions/session.ts';
import { signInServiceAccount } from './service-accounts/sign-in-service-account.ts';
import { signIn } from './buyers/sign-in.ts';
import { lookUpEmail, signUp } from './buyers/sign-up.ts';

export interface AccountDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  readonly requireTerms: boolean;
  readonly publicOrigin: string;
  /** Whether browsers reach us by https alone. */
  readonly secure: boolean;
  readonly inBackground: (work: Promise<unknown>) => void;
}

const DEVICE = contract.DEVICE_HEADER.toLowerCase();

export function accountRoutes(deps: AccountDeps): Route[] {
  return [
    route(contract.authenticate, async ({ body, address, header, setCookies }) => {
      const {
        buyer,
        token,
        kept: cookie,
      } = await signIn(deps, {
        ...body,
        address,
        deviceId: header(DEVICE),
        device: deviceOf(header),
      });
      if (cookie) setCookies(keptCookies(cookie, deps.secure));
      return { ...success({ ...presentBuyer(buyer), token }), status: 200 };
    }),

    route(contract.logout, async ({ caller, token, header }) => {
      await endSession(deps.db, caller, token, deviceOf(header));
      return success(null);
    }),

    route(contract.logoutLater, async ({ body, header }) => {
      await endSessionLater(deps.db, Buffer.from(body.tokenHash, 'base64'), deviceOf(header));
      return success(null);
    }),

    route(contract.getBuyer, async ({ params, caller }) =>
      success(presentBuyer(await ownProfile(deps.db, caller, params.userId))),
    ),

    route(contract.getProfile, async ({ params, caller }) =>
      success(presentBuyer(await ownProfile(deps.db, caller, params.id))),
    ),

    route(contract.updateProfile, async ({ params, caller, body, header }) => {
      const changes = {
        name: body.name,
        phone: body.phone,
        address_number: body.numberAddress,
        address_postal_code: body.postalCodeAddress,
        address_street: body.streetAddress,
      };
      const changed = await changeOwnProfile(deps.db, caller, params.id, changes, deviceOf(header));
      return success(presentBuyer(changed));
    }),

    route(contract.listSessions, async ({ caller, token }) =>
      success((await sessionsOf(deps.db, caller, token)).map(presentSession)),
    ),

    route(contract.closeSession, async ({ caller, params, header }) => {
      await endSessionOf(deps.db, caller, params.id, deviceOf(header));
      return success(null);
    }),

    route(kept.renewSession, async ({ header, setCookies }) => {
      refuseStrangersPage(deps, header);
      try {
        const renewed = await renewSession(deps.db, keptOf(header('cookie'), deps.secure), deviceOf(header));
        const caller = { kind: 'buyer', id: renewed.buyerId } as const;
        const buyer = presentBuyer(await ownProfile(deps.db, caller, caller.id));
        setCookies(keptCookies(renewed.kept, deps.secure));
        return success({ ...buyer, token: renewed.token });
      } catch (error) {
        // What failed for another reason is asked again with the same secret.
        if (error instanceof Refusal && error.code === 'SESSION_DEAD') setCookies(noKeptCookies(deps.secure));
        throw error;
      }
    }),

    route(kept.endKeptSession, async ({ header, setCookies }) => {
      refuseStrangersPage(deps, header);
      await endKeptOfCookie(deps.db, keptOf(header('cookie'), deps.secure), deviceOf(header));
      setCookies(noKeptCookies(deps.secure));
      return success(null);
    }),

    route(kept.closeKeptSession, async ({ caller, params, header }) => {
      await endKeptOf(deps.db, caller, params.id, deviceOf(header));
      return success(null);
    }),

    route(contract.sendResetEmail, async ({ body, address, header }) => {
      await askForReset(deps, { email: body.email, address, deviceId: header(DEVICE) });
      return success(null);
    }),

    route(contract.changePassword, async ({ params, body, address, header }) => {
      const from = { address, deviceId: header(DEVICE), device: deviceOf(header) };
      await changePassword(deps, { buyerId: params.id, ...body, ...from });
      return success(null);
    }),

    route(contract.lookUpEmail, async ({ params, address, header }) => {
      const code = header(contract.RESET_CODE_HEADER.toLowerCase());
      if (code !== undefined) {
        return success(presentUserRecord(await ownerByResetCode(deps, { ...params, code, address })));
      }
      const isTaken = await lookUpEmail(deps, { email: params.email, address });
      return success({ id: isTaken ? 1 : 0 });
    }),

    route(contract.insertBuyer, async ({ body, address, header }) => {
      const userAgent = deviceOf(header);
      const id = await signUp(deps, {
        ...body,
        termsVersion: body.termsVersion,
        address,
        deviceId: header(DEVICE),
        userAgent,
      });
      return success({ id });
    }),

    route(contract.confirmEmail, async ({ body, address }) => {
      await confirmEmail(deps, { ...body, address });
      return success(null);
    }),

    route(contract.turnReminders, async ({ caller, body, header }) => {
      await turnOwnReminders(deps.db, caller, body.reminders, deviceOf(header));
      return success(null);
    }),

    route(contract.sendConfirmation, async ({ caller }) => {
      await askForConfirmation(deps, caller);
      return success(null);
    }),

    route(contract.authenticateIntegrator, async ({ body, address }) => {
      const { User: user, Password: password } = body;
      const token = await signInServiceAccount(deps, { kind: 'integrator', user, password, address });
      return success({ token, data: { token } });
    }),

    route(contract.authenticateTill, async ({ body, address }) => {
      const { User: user, Password: password } = body;
      return { token: await signInServiceAccount(deps, { kind: 'till', user, password, address }) };
    }),

    route(contract.getIp, async ({ address }) => ({ ip: address })),
  ];
}

/**
 * A cookie goes along whoever makes a browser call, so only our own pages may (rules/threats#cross-site-calls): SameSite, a header
 * that no form sends, and where the browser says that the call is from.
 */
function refuseStrangersPage({ publicOrigin }: AccountDeps, header: RawCall['header']): void {
  const origins = { site: header('sec-fetch-site'), origin: header('origin'), host: header('host') };
  const isOurs = header(kept.KEPT_HEADER.toLowerCase()) !== undefined && isFromOurPage(origins, publicOrigin);
  if (!isOurs) throw new Refusal('NOT_ALLOWED');
}

/** The public pages' forms, for browsers that have not run a script yet. */
export const accountForms: readonly PageForm[] = [
  {
    paths: ['/login'],
    endpoint: contract.authenticate,
    body: ({ user, password, keep }) => ({ user, password, keep: keep !== undefined }),
    secret: ['password'],
    done: (reply) => ({ to: '/', session: (reply as Reply<typeof contract.authenticate>).data }),
  },
  {
    paths: ['/buyerRegister', '/BuyerRegister'],
    endpoint: contract.insertBuyer,
    body: ({ terms, ...account }) => ({ ...account, termsAccepted: terms !== undefined }),
    secret: ['password'],
    done: () => ({ to: '/login?aviso=registro' }),
  },
  {
    paths: ['/resetyourpassword'],
    endpoint: contract.sendResetEmail,
    body: ({ email }) => ({ email }),
    secret: [],
    done: () => ({ to: '/login?aviso=correo' }),
  },
];
