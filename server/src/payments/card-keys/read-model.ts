import type { Db } from '../../platform/db/db.ts';

/** A key pair without its secret. */
export interface StoredCredential {
  readonly merchant_id: number;
  readonly merchant: string;
  readonly public_key: string;
  readonly secret_key_id: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
}

/** All pairs with their merchants' names, by merchant, newest first. */
export async function listCredentials(db: Db): Promise<StoredCredential[]> {
  return db
    .selectFrom('provider_credentials as pair')
    .innerJoin('merchants as merchant', 'merchant.id', 'pair.merchant_id')
    .select([
      'pair.merchant_id',
      'merchant.trade_name as merchant',
      'pair.public_key',
      'pair.secret_key_id',
      'pair.created_at',
      'pair.retired_at',
    ])
    .orderBy('pair.merchant_id')
    .orderBy('pair.created_at', 'desc')
    .execute();
}
