import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { idParam, moment } from './text.ts';

const address = v.object({ calendarUrl: v.string(), madeAt: moment });

export const getCalendar = defineEndpoint({
  name: 'getCalendar',
  summary: "The private address at which a calendar follows the buyer's payments; null without one.",
  method: 'GET',
  path: '/v1/Calendar',
  access: ['buyer'],
  reply: envelope(v.nullable(address)),
  refusals: [],
});

export const makeCalendar = defineEndpoint({
  name: 'makeCalendar',
  summary: 'Makes such an address. The one before leads nowhere from then on.',
  method: 'POST',
  path: '/v1/Calendar',
  access: ['buyer'],
  reply: envelope(address),
  refusals: [],
});

export const endCalendar = defineEndpoint({
  name: 'endCalendar',
  summary: 'Revokes the address; answers alike when there is none.',
  method: 'POST',
  path: '/v1/Calendar/End',
  access: ['buyer'],
  reply: envelope(v.null()),
  refusals: [],
});

export const getPurchaseCalendar = defineEndpoint({
  name: 'getPurchaseCalendar',
  summary: "A purchase's unpaid dates as a file for calendars (RFC 5545).",
  method: 'GET',
  path: '/v1/Sales/CalendarAsync/:saleId',
  access: ['buyer'],
  params: v.object({ saleId: idParam }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['NOT_FOUND', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED'],
});
