import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { line, secret } from './text.ts';

const password = v.pipe(v.string(), v.maxLength(1024));
const WEAK = ['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_TOO_COMMON'] as const;

export const askForStaffReset = defineEndpoint({
  name: 'askForStaffReset',
  summary: 'Sends an email with a link that sets a new password. The answer is the same for any address.',
  method: 'POST',
  path: '/v1/counter/password/forgot',
  access: 'public',
  body: v.object({ email: line(254) }),
  reply: envelope(v.null()),
  refusals: ['TOO_MANY'],
});

export const resetStaffPassword = defineEndpoint({
  name: 'resetStaffPassword',
  summary:
    "Sets a new password by the code of the email's link. Every session and the PIN of the person end.",
  method: 'POST',
  path: '/v1/counter/password/reset',
  access: 'public',
  body: v.object({ code: line(64), password }),
  reply: envelope(v.null()),
  refusals: ['RESET_CODE_DEAD', ...WEAK, 'TOO_MANY'],
});

export const changeStaffPassword = defineEndpoint({
  name: 'changeStaffPassword',
  summary: 'Sets the password of the signed-in person, who gives the one before. Their other sessions end.',
  method: 'POST',
  path: '/v1/counter/password',
  access: ['staff'],
  act: 'change_password',
  body: v.object({ current: secret, password }),
  reply: envelope(v.null()),
  refusals: ['WRONG_PASSWORD', ...WEAK, 'TOO_MANY'],
});
