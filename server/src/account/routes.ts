import * as contract from '@aparta/contract/account';

import type { Db } from '../db/db.ts';
import { route, success, type Route } from '../http/route.ts';
import type { Limiter } from '../limiter.ts';
import type { AccountLimits } from './limits.ts';
import { ownProfile } from './own-profile.ts';
import type { Passwords } from './passwords.ts';
import { presentBuyer } from './present.ts';
import { endSession } from './session.ts';
import { signInMachine } from './sign-in-machine.ts';
import { signIn } from './sign-in.ts';
import { lookUpEmail, signUp } from './sign-up.ts';

export interface AccountDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  readonly requireTerms: boolean;
}

export function accountRoutes(deps: AccountDeps): Route[] {
  return [
    route(contract.authenticate, async ({ body, address }) => {
      const { buyer, token } = await signIn(deps, { ...body, address });
      return { ...success({ ...presentBuyer(buyer), token }), status: 200 };
    }),

    route(contract.logout, async ({ token }) => {
      await endSession(deps.db, token);
      return success(null);
    }),

    route(contract.getBuyer, async ({ params, caller }) =>
      success(presentBuyer(await ownProfile(deps.db, caller, params.userId))),
    ),

    route(contract.lookUpEmail, async ({ params, address }) => {
      const isTaken = await lookUpEmail(deps, { email: params.email, address });
      return success({ id: isTaken ? 1 : 0 });
    }),

    route(contract.insertBuyer, async ({ body, address }) => {
      const id = await signUp(deps, { ...body, termsVersion: body.termsVersion, address });
      return success({ id });
    }),

    route(contract.authenticateIntegrator, async ({ body, address }) => {
      const { User: user, Password: password } = body;
      const token = await signInMachine(deps, { kind: 'integrator', user, password, address });
      return success({ token, data: { token } });
    }),

    route(contract.authenticateTill, async ({ body, address }) => {
      const { User: user, Password: password } = body;
      return { token: await signInMachine(deps, { kind: 'till', user, password, address }) };
    }),

    route(contract.getIp, async ({ address }) => ({ ip: address })),
  ];
}
