import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  isBookedLater,
  addBusinessDays,
  addDays,
  daysBetween,
  endOfDayInMexicoCity,
  formatDate,
  formatDateLong,
  formatMoment,
  isBusinessDay,
  lastDayOfMonth,
  referenceExpiry,
  mexicoCityDate,
  mexicoCityHour,
  penaltyFreeUntil,
  relativeDay,
} from './calendar.ts';

const FIRST = '2000-01-01';
const dates = fc.integer({ min: 0, max: 36_500 }).map((days) => addDays(FIRST, days));

describe('the calendar of Mexico City', () => {
  it('is six hours behind UTC now, and was five behind in the summers until 2022', () => {
    expect(mexicoCityDate(new Date('2026-07-01T05:59:59Z'))).toBe('2026-06-30');
    expect(mexicoCityDate(new Date('2026-07-01T06:00:00Z'))).toBe('2026-07-01');
    expect(mexicoCityDate(new Date('2022-07-01T04:59:59Z'))).toBe('2022-06-30');
    expect(mexicoCityDate(new Date('2022-07-01T05:00:00Z'))).toBe('2022-07-01');
  });

  it('asks the platform for its zones, which a slow phone is long in loading, for moments of summer times alone', () => {
    const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    onTestFinished(() => asked.mockRestore());
    expect(mexicoCityDate(new Date('2022-10-30T07:00:00Z'))).toBe('2022-10-30');
    expect(mexicoCityHour(new Date('2026-07-01T05:59:59Z'))).toBe(23);
    expect(asked).not.toHaveBeenCalled();
    expect(mexicoCityHour(new Date('2022-10-30T06:59:59.999Z'))).toBe(1);
    expect(asked).toHaveBeenCalledOnce();
  });

  it('is what the zone data of the platform say, for as long as the law stays', () => {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/Mexico_City',
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const [from, until] = [Date.parse('2022-10-29T00:00:00Z'), Date.parse('2045-01-01T00:00:00Z')];
    const step = 5 * 3_600_000;
    const moments = Array.from({ length: (until - from) / step }, (_, n) => new Date(from + n * step));
    const others = moments.filter((at) => {
      const hour = String(mexicoCityHour(at)).padStart(2, '0');
      return !clock.format(at).startsWith(`${mexicoCityDate(at)} ${hour}`);
    });
    expect(others).toEqual([]);
  });

  it('ends each day right on both sides of the last change of clocks, on 30 October 2022', () => {
    expect(endOfDayInMexicoCity('2022-10-29').toISOString()).toBe('2022-10-30T04:59:59.999Z');
    expect(endOfDayInMexicoCity('2022-10-30').toISOString()).toBe('2022-10-31T05:59:59.999Z');
    expect(endOfDayInMexicoCity('2022-04-02').toISOString()).toBe('2022-04-03T05:59:59.999Z');
    expect(endOfDayInMexicoCity('2022-04-03').toISOString()).toBe('2022-04-04T04:59:59.999Z');
    expect(endOfDayInMexicoCity('2026-11-22').toISOString()).toBe('2026-11-23T05:59:59.999Z');
  });

  it('ends every day in its last millisecond', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const end = endOfDayInMexicoCity(date);
        expect(mexicoCityDate(end)).toBe(date);
        expect(mexicoCityDate(new Date(end.getTime() + 1))).toBe(addDays(date, 1));
      }),
    );
  });

  it('counts days over leap years and back', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
    fc.assert(
      fc.property(dates, fc.integer({ min: -4_000, max: 4_000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
      }),
    );
  });

  it('knows the last day of each month', () => {
    expect(['2026-11-30', '2026-12-01', '2028-02-01', '2027-02-28'].map(lastDayOfMonth)).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2028-02-29',
      '2027-02-28',
    ]);
  });

  it('refuses days that do not exist', () => {
    for (const wrong of ['2026-02-30', '2026-13-01', '2026-1-1', '', '20-11-2026', '2026-11-20T00:00:00Z']) {
      expect(() => addDays(wrong, 1), wrong).toThrow(RangeError);
    }
  });

  it('gives a reference two days, to the end of the day in Mexico City', () => {
    const lateAtNight = new Date('2026-11-21T05:30:00Z');
    expect(referenceExpiry(lateAtNight).toISOString()).toBe('2026-11-23T05:59:59.999Z');
    expect(referenceExpiry(lateAtNight, 0).toISOString()).toBe('2026-11-21T05:59:59.999Z');
  });
});

describe('business days', () => {
  it.each([
    [2018, '01-01 02-05 03-19 05-01 09-16 11-19 12-25'],
    [2022, '01-01 02-07 03-21 05-01 09-16 11-21 12-25'],
    [2024, '01-01 02-05 03-18 05-01 09-16 10-01 11-18 12-25'],
    [2025, '01-01 02-03 03-17 05-01 09-16 11-17 12-25'],
    [2026, '01-01 02-02 03-16 05-01 09-16 11-16 12-25'],
    [2027, '01-01 02-01 03-15 05-01 09-16 11-15 12-25'],
    [2028, '01-01 02-07 03-20 05-01 09-16 11-20 12-25'],
    [2029, '01-01 02-05 03-19 05-01 09-16 11-19 12-25'],
    [2030, '01-01 02-04 03-18 05-01 09-16 10-01 11-18 12-25'],
    [2031, '01-01 02-03 03-17 05-01 09-16 11-17 12-25'],
  ])('of %i leave out the days of rest of the law, and no other weekday', (year, expected) => {
    const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
    const weekdays = Array.from({ length: 366 }, (_, day) => addDays(`${year}-01-01`, day)).filter(
      (date) => date.startsWith(String(year)) && !isWeekend(date),
    );
    const onWeekdays = expected.split(' ').filter((day) => !isWeekend(`${year}-${day}`));
    expect(weekdays.filter((date) => !isBusinessDay(date))).toEqual(
      onWeekdays.map((day) => `${year}-${day}`),
    );
  });

  it('are never Saturdays or Sundays', () => {
    expect(isBusinessDay('2026-11-20')).toBe(true);
    expect(isBusinessDay('2026-11-21')).toBe(false);
    expect(isBusinessDay('2026-11-22')).toBe(false);
  });

  it('make the days without penalty five, not counting the day of the deposit', () => {
    expect(addBusinessDays('2026-11-20', 5)).toBe('2026-11-27');
    expect(penaltyFreeUntil(new Date('2026-11-20T19:42:00Z')).toISOString()).toBe('2026-11-28T05:59:59.999Z');
    // The evening of a Wednesday: in UTC it is Thursday.
    expect(penaltyFreeUntil(new Date('2026-11-26T05:30:00Z')).toISOString()).toBe('2026-12-03T05:59:59.999Z');
    // A Friday before a long weekend: Monday the 16th is a holiday.
    expect(addBusinessDays('2026-11-13', 5)).toBe('2026-11-23');
    // Reserved on a Saturday over Christmas and New Year.
    expect(addBusinessDays('2026-12-19', 5)).toBe('2026-12-28');
    expect(addBusinessDays('2026-12-28', 5)).toBe('2027-01-05');
  });
});

describe('dates as a buyer reads them', () => {
  it('are in Spanish, day first', () => {
    expect(formatDate('2026-11-20')).toBe('20 nov 2026');
    expect(formatDate('2027-01-05')).toBe('5 ene 2027');
    expect(formatDateLong('2026-11-20')).toBe('20 de noviembre de 2026');
    expect(formatDate('2026-09-01')).toBe('1 sep 2026');
  });

  it('give moments by the clock of Mexico City', () => {
    expect(formatMoment(new Date('2026-11-20T19:42:59Z'))).toBe('20 nov 2026, 13:42');
    expect(formatMoment(new Date('2026-11-21T06:00:00Z'))).toBe('21 nov 2026, 00:00');
    expect(formatMoment(new Date('2022-07-01T05:05:00.250Z'))).toBe('1 jul 2022, 00:05');
  });

  it('know yesterday, today and tomorrow', () => {
    expect(relativeDay('2026-11-30', '2026-12-01')).toBe('yesterday');
    expect(relativeDay('2026-12-01', '2026-12-01')).toBe('today');
    expect(relativeDay('2026-12-02', '2026-12-01')).toBe('tomorrow');
    expect(relativeDay('2026-12-03', '2026-12-01')).toBeUndefined();
  });
});

it('a payment that is booked a minute after it was paid was booked later, whatever minute the clock shows', () => {
  const paidAt = new Date('2026-11-21T18:29:59.900Z');
  const bookedAfter = (ms: number) => isBookedLater({ paidAt, bookedAt: new Date(paidAt.getTime() + ms) });
  expect([0, 200, 59_999, 60_000].map(bookedAfter)).toEqual([false, false, false, true]);
});
