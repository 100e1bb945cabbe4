import { centavos } from '@aparta/domain/money';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';

import type { CalendarDate } from './read-model.ts';
import { writeCalendar } from './write-calendar.ts';

const DATE: CalendarDate = {
  instalmentId: 21,
  purchaseId: 7,
  state: 'active',
  number: 2,
  of: 3,
  dueOn: '2031-06-30',
  owedCentavos: centavos(40_000),
  productName: 'Sala',
  tradeName: 'Muebles del Centro',
  hasFee: false,
  planReference: '21000482101',
  isClaimed: false,
  changes: 3,
  changedAt: new Date('2031-05-05T18:00:00Z'),
};
const URL_TO_PAY = 'https://aparta.example/saleCxcList/7?pagar';

const written = (given: Partial<CalendarDate> = {}) =>
  writeCalendar([{ ...DATE, ...given }], { productName: 'Aparta', publicOrigin: 'https://aparta.example' });

/** Its only date, as a calendar's own reader understands it. */
function seen(given: Partial<CalendarDate> = {}) {
  const [event] = new ICAL.Component(ICAL.parse(written(given))).getAllSubcomponents('vevent');
  const valueOf = (name: string) => String(event?.getFirstPropertyValue(name));
  return {
    summary: valueOf('summary'),
    description: valueOf('description').split('\n'),
    status: valueOf('status'),
    days: [valueOf('dtstart'), valueOf('dtend')],
    uid: valueOf('uid'),
    url: valueOf('url'),
    changed: [valueOf('sequence'), valueOf('dtstamp'), valueOf('last-modified')],
    privacy: [valueOf('class'), valueOf('transp')],
    alarms: event
      ?.getAllSubcomponents('valarm')
      .map((alarm) => String(alarm.getFirstPropertyValue('trigger'))),
  };
}

describe('a date in a calendar', () => {
  test('that is owed says what, where and by which number, and reminds of it the day before', () => {
    expect(seen()).toEqual({
      summary: 'Pago 2 de 3: $400.00 · Sala',
      description: [
        'Sala, de Muebles del Centro',
        'Por pagar: $400.00 MXN',
        'En la caja de Muebles del Centro da este número: 2100 0482 101',
        `Paga aquí: ${URL_TO_PAY}`,
      ],
      status: 'CONFIRMED',
      days: ['2031-06-30', '2031-07-01'],
      uid: 'pago-21@aparta.example',
      url: URL_TO_PAY,
      changed: ['3', '2031-05-05T18:00:00Z', '2031-05-05T18:00:00Z'],
      privacy: ['PRIVATE', 'TRANSPARENT'],
      alarms: ['-PT14H'],
    });
  });

  test('says that a charge comes on top, and no number where tills take none', () => {
    expect(seen({ hasFee: true, planReference: null }).description).toEqual([
      'Sala, de Muebles del Centro',
      'Por pagar: $400.00 MXN, más el cargo por servicio de la forma de pago',
      `Paga aquí: ${URL_TO_PAY}`,
    ]);
  });

  test.each([
    ['paid', { owedCentavos: centavos(0) }, 'CONFIRMED', 'Pagado: pago 2 de 3 · Sala'],
    [
      'paid but for its last centavo',
      { owedCentavos: centavos(1) },
      'CONFIRMED',
      'Pago 2 de 3: $0.01 · Sala',
    ],
    ['cancelled', { state: 'cancelled' }, 'CANCELLED', 'Compra cancelada: pago 2 de 3 · Sala'],
  ] as const)('that is %s asks for just what is owed', (_state, given, status, summary) => {
    const isOwed = 'owedCentavos' in given && given.owedCentavos > 0;
    expect(seen(given)).toMatchObject({ status, summary, alarms: isOwed ? ['-PT14H'] : [] });
    expect(seen(given).description).toHaveLength(isOwed ? 4 : 1);
  });

  test('reminds nobody of what they say they have paid, and still says how', () => {
    expect(seen({ isClaimed: true })).toMatchObject({ alarms: [], description: { length: 4 } });
  });

  test('makes no link of what a shop calls a product, since calendars are shared; only of where to pay', () => {
    const text = written({ productName: 'Sala, paga en www.falso.mx', tradeName: 'falso.com', hasFee: true });
    const unfolded = text.replaceAll('\r\n ', '');
    expect(unfolded).not.toMatch(/www\.|falso\./);
    expect(unfolded).toContain('www falso mx');
    expect(unfolded).toContain(`Paga aquí: ${URL_TO_PAY}`);
  });

  test('is looked at again every six hours', () => {
    expect(written()).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT6H');
  });
});
