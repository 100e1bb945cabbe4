import { readFileSync } from 'node:fs';
import { endOfDayInMexicoCity, type DateOnly } from '@aparta/domain/calendar';
import { parseDecimal, type Centavos } from '@aparta/domain/money';
import { parseFeePolicy, type FeePolicy } from '@aparta/domain/service-fee';
import { isAddressOrNetwork } from '@aparta/server/platform/addresses';
import type { Collector } from '@aparta/server/platform/db/tables';

/** A whole number above zero: ids and days. */
export function whole(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readWhole } as const;
}

/** Pesos as `3000`, `3000.50` or `3,000.50`. */
export function pesos(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readPesos } as const;
}

/** A share of the price: `20`, `12.5`; answers basis points, 20 % = 2000. */
export function percent(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readPercent } as const;
}

/** `none`, `card:15.00`, `card,till:12.50`, `all:15.00`. */
export function feePolicy(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readFeePolicy } as const;
}

/** `till=operator,tapi=merchant`, or one of them. */
export function collectors(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readCollectors } as const;
}

/** A day to its end in Mexico City; answers that moment. */
export function untilDay(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readDayEnd } as const;
}

/** A day, `2026-11-20`. */
export function day(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readDay } as const;
}

/** A file that is there; answers its bytes and its name. */
export function file(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readGivenFile } as const;
}

/** An id of ours that is a UUID. */
export function uuid(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readUuid } as const;
}

/** `198.51.100.7,192.0.2.0/24`, or `none`: no list. */
export function addresses(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: readAddresses } as const;
}

/** Text without blanks around it. */
export function text(describe: string) {
  return { type: 'string', requiresArg: true, describe, coerce: trimmed } as const;
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
  return given.trim();
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

function readCollectors(given: string): { tillCollectedBy?: Collector; tapiCollectedBy?: Collector } {
  const pairs = given.split(',').map((pair) => /^(till|tapi)=(merchant|operator)$/.exec(pair.trim()));
  const said = pairs.map((pair) => pair?.[1]);
  if (pairs.includes(null) || new Set(said).size < said.length)
    throw new Error(`No se entiende quién cobra: ${given}. Se escribe till=merchant,tapi=operator`);
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

function readDayEnd(given: string): Date {
  return endOfDayInMexicoCity(readDay(given));
}

function readGivenFile(path: string): { path: string; bytes: Buffer } {
  try {
    return { path, bytes: readFileSync(path) };
  } catch (error) {
    throw new Error(`No se puede leer ${path}: ${(error as NodeJS.ErrnoException).code}`, { cause: error });
  }
}
