import { SHOP_MAILS } from '@aparta/domain/shop-mails';
import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';

const mail = v.picklist(SHOP_MAILS);

export const readMailChoices = defineEndpoint({
  name: 'readMailChoices',
  summary: 'What the owner is mailed of their shop.',
  method: 'GET',
  path: '/v1/counter/mails',
  access: ['staff'],
  act: 'own_mails',
  reply: envelope(v.object({ mails: v.array(mail) })),
  refusals: [],
});

export const setMailChoice = defineEndpoint({
  name: 'setMailChoice',
  summary: 'Turns one kind of email on or off, for the owner who calls.',
  method: 'POST',
  path: '/v1/counter/mails',
  access: ['staff'],
  act: 'own_mails',
  body: v.object({ mail, isOn: v.boolean() }),
  reply: envelope(v.null()),
  refusals: [],
});
