import type { DurablePostgres } from './durable-postgres.ts';

const PRODUCTS = 100;

/**
 * A merchant of 20 %, every 30 days for 60 days, with products of 3,000.00, and buyers enough for so many layaways of which no
 * two are of the same buyer and product.
 */
export async function openShop(postgres: DurablePostgres, database: string, layaways: number): Promise<void> {
  await postgres.run(database, [
    `insert into companies (name, logo_file_name) values ('Grupo', 'grupo.jpg')`,
    `insert into merchants (company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days,
       penalty_centavos, service_fee_centavos, service_fee_methods)
     values (1, 'Muebles', 'Muebles', 2000, 30, 60, 20000, 1500, array['card'])`,
    `insert into products (merchant_id, name, description, sku, sale_price_centavos)
     select 1, 'Sala ' || n, 'Tres plazas, gris', 'SALA-' || n, 300000 from generate_series(1, ${PRODUCTS}) n`,
    `insert into buyers (email, user_name, name, password_hash, email_confirmed_at)
     select 'buyer-' || n || '@example.mx', 'Ana', 'Ana', '-', now() from generate_series(0, ${Math.ceil(layaways / PRODUCTS)}) n`,
  ]);
}

/** Adds open references of these ids, as `createReference` freezes them; `there` of them are there already. */
export async function openReferences(
  postgres: DurablePostgres,
  database: string,
  ids: readonly number[],
  there: number,
): Promise<void> {
  await postgres.run(database, [
    `with made as (select id, ${there} + place - 1 as place from unnest('{${ids.join()}}'::bigint[]) with ordinality as given (id, place)),
    numbers as (insert into payment_references (id, kind, prefix) select id, 'layaway', '1' from made)
    insert into layaway_references (id, buyer_id, merchant_id, product_id, price_centavos, deposit_centavos,
      deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods, penalty_centavos,
      expires_at)
    select id, 1001 + place / ${PRODUCTS}, 1, 1 + place % ${PRODUCTS}, 300000, 60000, 2000, 30, 60, 1500, array['card'], 20000,
      now() + interval '2 days'
    from made`,
  ]);
}
