import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { logoType, type LogoType } from './logo.ts';
import { findCompany, findLogo, type CompanyRow } from './store.ts';
import type { Staff } from '../../platform/principal.ts';
import {
  findMerchant,
  findOnSale,
  listMerchants,
  type MerchantRow,
  type OnSale,
  type StoredMerchant,
} from './read-model.ts';

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Refusal('NOT_FOUND');
  return thing;
}

/** A merchant as this buyer may see it. Refuses NOT_FOUND, like all of the catalogue. */
export async function merchantFor(db: Db, id: number, buyerId: number): Promise<MerchantRow> {
  return found(await findMerchant(db, id, buyerId));
}

/** The merchant at which somebody of its staff is. */
export async function merchantOf(db: Db, { merchantId }: Staff): Promise<StoredMerchant> {
  const [merchant] = await listMerchants(db, merchantId);
  return found(merchant);
}

/** A product that is on sale, as this buyer would be offered it. */
export async function productOnSale(db: Db, id: number, buyerId: number): Promise<OnSale> {
  return found(await findOnSale(db, id, buyerId));
}

export async function company(db: Db, id: number): Promise<CompanyRow> {
  return found(await findCompany(db, id));
}

/** The logo of exactly this name: looked up, never used as a path (rules/threats#file-names), and an image by its bytes. */
export async function logoNamed(db: Db, fileName: string): Promise<{ bytes: Buffer; type: LogoType }> {
  const bytes = found(await findLogo(db, fileName));
  return { bytes, type: found(logoType(bytes)) };
}
