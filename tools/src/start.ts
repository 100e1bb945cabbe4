import { buildLayawayReference, layawayLink } from '@aparta/domain/layaway-reference';
import { centavos, formatMoney } from '@aparta/domain/money';
import { describePlan } from '@aparta/domain/plan';
import { migrate } from '@aparta/server/platform/db/migrate';
import { withSecretFiles } from '@aparta/server/env';
import { renderUnicodeCompact } from 'uqr';
import { STAFF } from '../demo/staff.ts';
import { BUILT_SERVER, buildProduct } from './build-product.ts';
import { startProduct, type Product } from './product.ts';
import { startProgram } from './program.ts';
import { query } from './query.ts';
import { readyUrl } from './ready-url.ts';
import { asked, runCommand, say } from './run-command.ts';
import { settingsFromEnvironment } from './settings.ts';

await runCommand(process.env['NODE_ENV'] === 'production' ? startForReal : startHere);

/** Everything on this machine: database, sandbox, server, demo data. */
async function startHere(): Promise<void> {
  const end = asked();
  const product = await startProduct({ ...settingsFromEnvironment(), build: buildProduct, log: say });
  try {
    await printWelcome(product);
    const reason = await Promise.race([end, product.broken]);
    const wasAsked = reason.startsWith('SIG');
    say(wasAsked ? 'Stopping' : reason);
    if (!wasAsked) process.exitCode = 1;
  } finally {
    await product.stop();
  }
  say('Stopped');
}

/** The server alone, without the login that migrates, as the environment says; it refuses to start by itself, naming every setting it lacks. */
async function startForReal(): Promise<void> {
  const end = asked();
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: serverUrl } = withSecretFiles(env).env;
  delete env['DATABASE_OWNER_URL'];
  delete env['DATABASE_OWNER_URL_FILE'];
  await buildProduct(say);
  if (ownerUrl) await migrate(ownerUrl, { serverUrl });
  const server = await startProgram({
    name: 'server',
    file: BUILT_SERVER,
    env,
    readyUrl: readyUrl(env),
  });
  say('The server is ready');
  const reason = await Promise.race([end, server.exited]);
  if (typeof reason !== 'string') process.exitCode = reason ?? 1;
  await server.stop();
}

async function printWelcome({ origin, sandboxOrigin, databaseUrl }: Product): Promise<void> {
  const tryOut = await productToTry(databaseUrl, origin);
  console.log(`
  Aparta            ${origin}
  Sandbox           ${sandboxOrigin}   (magic cards, references to pay, mail)
  Database          ${databaseUrl.replace(/:[^:@/]*@/, ':…@')}
`);
  if (tryOut) {
    console.log(`  Sign in as        demo@aparta.mx   aparta-demo-2026

  Counter           ${origin}/mostrador   (take money as the shop)
  Sign in as        caja@aparta.mx (cashier), encargado@aparta.mx (manager), duena@aparta.mx (owner)
                    aparta-demo-2026
  PIN on a shared   ${STAFF.flatMap(({ name, pin }) => (pin === undefined ? [] : [`${name} ${pin}`])).join(', ')}
  device            (the manager enrols one under Más, Equipos)

  Reserve '${tryOut.name}' (deposit ${tryOut.deposit}): open the link, or scan it inside the app.
  ${tryOut.link}

${indent(renderUnicodeCompact(tryOut.link, { border: 2 }))}
`);
  }
  console.log('  Ctrl-C stops everything.\n');
}

type ProductToTry = { name: string; deposit: string; link: string };

/** The first product of the first merchant, as the merchant would print it; none in an empty database. */
async function productToTry(databaseUrl: string, origin: string): Promise<ProductToTry | undefined> {
  const [row] = await query<Record<string, string>>(
    databaseUrl,
    `select p.id, p.name, p.sale_price_centavos, m.id as merchant_id, m.deposit_basis_points,
            m.frequency_days, m.plan_duration_days
       from products p join merchants m on m.id = p.merchant_id
      where p.withdrawn_at is null order by m.id, p.id limit 1`,
  );
  if (!row) return undefined;
  const priceCentavos = centavos(Number(row['sale_price_centavos']));
  const plan = describePlan({
    priceCentavos,
    depositBasisPoints: Number(row['deposit_basis_points']),
    frequencyDays: Number(row['frequency_days']),
    durationDays: Number(row['plan_duration_days']),
  });
  const reference = buildLayawayReference({
    businessId: Number(row['merchant_id']),
    productId: Number(row['id']),
    buyerId: 0,
    printedPriceCentavos: priceCentavos,
    printedPayments: plan.laterInstalments + 1,
    printedDepositCentavos: plan.depositCentavos,
  });
  return {
    name: row['name'] ?? '',
    deposit: formatMoney(plan.depositCentavos),
    link: layawayLink(origin, reference),
  };
}

function indent(block: string): string {
  return block
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
