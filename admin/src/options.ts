import fs from 'node:fs';
import path from 'node:path';
import { endOfDayInMexicoCity, type DateOnly } from '@aparta/domain/calendar';
import { MOST_CUT_OFF_DAYS } from '@aparta/domain/invoice-cut-off';
import { parseDecimal, type Centavos } from '@aparta/domain/money';
import { END_DAYS_LATE } from '@aparta/domain/plan-end';
import { parseFeePolicy, type FeePolicy } from '@aparta/domain/service-fee';
import { isAddressOrNetwork } from '@aparta/server/platform/addresses';
import type { Collector } from '@aparta/server/platform/db/tables';
import { sayFileCode } from './copy.ts';

/** An option that takes a value, and how the value is read. */
function option<T>(coerce: (given: string) => T) {
  return (describe: string) => ({ type: 'string', requiresArg: true, describe, coerce }) as const;
}

/** A whole number above zero: ids and days. */
export const whole = option(readWhole);

/** A whole number, zero too. */
export const count = option((given) => (given === '0' ? 0 : readWhole(given)));

/** Pesos as `3000`, `3000.50` or `3,000.50`. */
export const pesos = option(readPesos);

/** A share of the price: `20`, `12.5`. Read as basis points, 20 % = 2000. */
export const percent = option(readPercent);

/** `none`, `card:15.00`, `card,till:12.50`, `all:15.00`. */
export const feePolicy = option(readFeePolicy);

/** Days after the month's end, `0` to `366`, or `none`. */
export const cutOff = option(readCutOff);

/** Days late from 30 to 365, or `none`: never. */
export const daysLate = option(readDaysLate);

/** Since when a unit is kept: `deposit` or `reservation`. Read as whether a reservation keeps one. */
export const keptSince = option(readKeptSince);

/** `yes` or `no`. */
export const yesOrNo = option(readYesOrNo);

/** `till=operator,cash=merchant`, or one of them. */
export const collectors = option(readCollectors);

/** A day. Read as the moment in which it ends in Mexico City. */
export const untilDay = option(readDayEnd);

/** A day, `2026-11-20`. */
export const day = option(readDay);

/** A month, `2026-11`. Read as its first day. */
export const month = option(readMonth);

/** A file that exists. Read as its bytes and its name. */
export const file = option(readGivenFile);

/** A file that can be written. Read as its path. */
export const outFile = option(writable);

/** An id of ours that is a UUID. */
export const uuid = option(readUuid);

/** `198.51.100.7,192.0.2.0/24`, or `none`: no list. */
export const addresses = option(readAddresses);

/** Merchants, or branches, by number: `1,2`, or `none`. */
export const numbers = option(readNumbers);

/** Text, trimmed, its accents as every call has them: else a till's own chain would be another one's. */
export const text = option(trimmed);

function readNumbers(given: string): number[] {
  return given === 'none' ? [] : given.split(',').map((one) => readWhole(one.trim()));
}

function readWhole(given: string): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new Error(`No es un número entero mayor que cero: ${given}`);
  return Number(given);
}

function readPesos(given: string): Centavos {
  const amount = parseDecimal(
    given.replace(/^(\d{1,3})(,\d{3})+(?=\.|$)/, (thousands) => thousands.replaceAll(',', '')),
  );
  if (amount === undefined) throw new Error(`No es una cantidad de pesos: ${given}`);
  return amount;
}

function readUuid(given: string): string {
  const id = given.trim().toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Error(`No es un UUID: ${given}`);
  return id;
}

function trimmed(given: string): string {
  return given.normalize('NFC').trim();
}

function readPercent(given: string): number {
  const basisPoints = parseDecimal(given.replace(/\s*%$/, ''));
  if (basisPoints === undefined) throw new Error(`No es un porcentaje: ${given}`);
  return basisPoints;
}

function readFeePolicy(given: string): FeePolicy {
  const policy = parseFeePolicy(given);
  if (policy === undefined)
    throw new Error(`No es una comisión: ${given}. Se escribe none, card:15.00 o all:15.00`);
  return policy;
}

function readKeptSince(given: string): boolean {
  if (given !== 'deposit' && given !== 'reservation') throw new Error(`Es deposit o reservation: ${given}`);
  return given === 'reservation';
}

function readYesOrNo(given: string): boolean {
  if (given !== 'yes' && given !== 'no') throw new Error(`Es yes o no: ${given}`);
  return given === 'yes';
}

function readCutOff(given: string): number | null {
  if (given.trim() === 'none') return null;
  const days = /^\d{1,3}$/.test(given) ? Number(given) : NaN;
  if (days <= MOST_CUT_OFF_DAYS) return days;
  throw new Error(`No es un plazo: ${given}. Se escribe en días, de 0 a ${MOST_CUT_OFF_DAYS}, o none`);
}

function readDaysLate(given: string): number | null {
  if (given.trim() === 'none') return null;
  const days = /^\d{1,3}$/.test(given) ? Number(given) : NaN;
  const { least, most } = END_DAYS_LATE;
  if (days >= least && days <= most) return days;
  throw new Error(`No es un plazo: ${given}. Se escribe en días, de ${least} a ${most}, o none`);
}

function readCollectors(given: string): { tillCollectedBy?: Collector; cashCollectedBy?: Collector } {
  const pairs = given.split(',').map((pair) => /^(till|cash)=(merchant|operator)$/.exec(pair.trim()));
  const said = pairs.map((pair) => pair?.[1]);
  if (pairs.includes(null) || new Set(said).size < said.length)
    throw new Error(`No se entiende quién cobra: ${given}. Se escribe till=merchant,cash=operator`);
  return Object.fromEntries(pairs.map((pair) => [`${pair?.[1]}CollectedBy`, pair?.[2]]));
}

function readAddresses(given: string): string[] {
  const list = given.split(/[\s,]+/).filter(Boolean);
  if (given.trim() === 'none') return [];
  const wrong = list.length === 0 ? given : list.find((entry) => !isAddressOrNetwork(entry));
  if (wrong === undefined) return list;
  throw new Error(`No es una dirección ni una red: ${wrong}. Se escribe 198.51.100.7, 192.0.2.0/24 o none`);
}

function readDay(given: string): DateOnly {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
  if (!isDay) throw new Error(`No es una fecha AAAA-MM-DD: ${given}`);
  return given;
}

function readMonth(given: string): DateOnly {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(given)) throw new Error(`No es un mes AAAA-MM: ${given}`);
  return `${given}-01`;
}

function readDayEnd(given: string): Date {
  return endOfDayInMexicoCity(readDay(given));
}

function readGivenFile(given: string): { path: string; bytes: Buffer } {
  try {
    return { path: given, bytes: fs.readFileSync(given) };
  } catch (error) {
    throw new Error(`No se puede leer ${given}: ${whyOf(error)}.`, { cause: error });
  }
}

/** Looked at before anything is done: a number that was given to a report, or a minute of drawing, would be lost. */
function writable(given: string): string {
  const file = given.trim();
  try {
    const folder = path.dirname(path.resolve(file));
    const there = fs.statSync(file, { throwIfNoEntry: false });
    if (file === '' || there?.isDirectory()) throw Object.assign(new Error(file), { code: 'EISDIR' });
    if (!fs.statSync(folder).isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
    fs.accessSync(folder, fs.constants.W_OK);
    if (there?.isFile()) fs.accessSync(file, fs.constants.W_OK);
  } catch (error) {
    throw new Error(`No se puede escribir ${given}: ${whyOf(error)}.`, { cause: error });
  }
  return file;
}

function whyOf(error: unknown): string {
  return sayFileCode((error as NodeJS.ErrnoException).code ?? '');
}
