import * as contract from '@aparta/contract/counter-passkeys';

import { route, success, type Route } from '../../platform/http/route.ts';
import { presentWorkplace } from '../staff/present.ts';
import { fromOf, sessionPresenter } from '../staff/routes.ts';
import { addPasskey, startPasskey } from './add-passkey.ts';
import { passkeysOf, removePasskey, renamePasskey, setOwnerRule } from './manage.ts';
import { signInByPasskey, startPasskeySignIn } from './sign-in-by-passkey.ts';
import type { PasskeyDeps } from './webauthn.ts';

export function passkeyRoutes(deps: PasskeyDeps): Route[] {
  const { db } = deps;
  const present = sessionPresenter(db);
  return [
    route(contract.startPasskeySignIn, async ({ address }) =>
      success(await startPasskeySignIn(deps, address)),
    ),
    route(contract.signInByPasskey, async ({ body, ...call }) => {
      const { session, positions } = await signInByPasskey(deps, {
        ...body,
        merchantId: body.merchantId,
        ...fromOf(call),
      });
      return success({
        session: session === undefined ? null : await present(session),
        merchants: positions.map(presentWorkplace),
      });
    }),
    route(contract.startPasskey, async ({ caller, token, body, ...call }) =>
      success(await startPasskey(deps, caller, { token, password: body.password, ...fromOf(call) })),
    ),
    route(contract.addPasskey, async ({ caller, token, body }) => {
      const { name, credential } = body;
      const { transports } = credential.response;
      return success({ passkeyId: await addPasskey(deps, caller, { token, name, credential, transports }) });
    }),
    route(contract.listPasskeys, async ({ caller }) =>
      success(
        (await passkeysOf(db, caller)).map(({ id, name, isSynced, createdAt, usedAt }) => ({
          passkeyId: id,
          name,
          isSynced,
          addedAt: createdAt.toISOString(),
          usedAt: usedAt?.toISOString() ?? null,
        })),
      ),
    ),
    route(contract.renamePasskey, async ({ caller, params, body }) => {
      await renamePasskey(db, caller, { ...params, ...body });
      return success(null);
    }),
    route(contract.removePasskey, async ({ caller, params, token }) => {
      await removePasskey(db, caller, { ...params, token });
      return success(null);
    }),
    route(contract.setOwnerRule, async ({ caller, body }) => {
      await setOwnerRule(db, caller, body.ownersNeedPasskey);
      return success(null);
    }),
  ];
}
