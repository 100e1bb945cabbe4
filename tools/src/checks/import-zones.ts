import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** One forbidden import of each kind, planted where it must be refused. */
const FORBIDDEN: [file: string, source: string][] = [
  ['domain/src/planted.ts', "import '@aparta/contract/amount';"],
  ['domain/src/planted-library.ts', "import 'valibot';"],
  ['contract/src/planted.ts', "import '@aparta/server/platform/refusal';"],
  ['contract/src/planted-wire.ts', "import '@aparta/provider-wire/clip';"],
  ['provider-wire/src/planted.ts', "import '@aparta/domain/plan';"],
  ['sandbox/src/planted.ts', "import '@aparta/server/platform/refusal';"],
  ['sandbox/src/planted-contract.ts', "import '@aparta/contract/amount';"],
  ['sandbox/src/planted-path.ts', "import '../../server/src/platform/refusal.ts';"],
  ['server/src/payments/cards/planted-case.ts', "import '@aparta/contract/payments';"],
  ['server/src/payments/cards/planted-http.ts', "import '../../platform/http/route.ts';"],
  ['server/src/payments/cards/planted-adapter.ts', "import './clip.ts';"],
  ['server/src/payments/cards/planted-env.ts', "import { env } from '../../env.ts';\nvoid env;"],
  ['server/src/payments/cards/store.ts', "import '@aparta/contract/payments';"],
  ['server/src/payments/cards/routes.ts', "import { read } from './store.ts';\nvoid read;"],
  ['server/src/payments/cards/present.ts', "import './clip.ts';"],
  ['server/src/payments/card-provider/clip.ts', "import './store.ts';"],
  ['server/src/platform/http/planted.ts', "import '@aparta/sandbox/app';"],
  ['server/src/platform/jobs/planted.ts', "import '../email/smtp.ts';"],
  ['web/src/payments/planted.ts', "import '../layaway/wizard-page.tsx';"],
  ['web/src/payments/planted-app.ts', "import '../app/routes.tsx';"],
  ['web/src/payments/planted-server.ts', "import '@aparta/server/platform/refusal';"],
  ['web/src/payments/planted-call.ts', "import '../api/client.ts';"],
  ['web/src/payments/planted-endpoint.ts', "import '@aparta/contract/payments';"],
  ['web/src/app/planted.ts', "import '@aparta/provider-wire/clip';"],
  ['web/src/app/planted-call.ts', "import '../api/client.ts';"],
  ['web/src/purchases/planted-call.ts', "import '../api/client.ts';"],
  ['web/src/purchases/planted-endpoint.ts', "import '@aparta/contract/purchases';"],
  ['web/src/account/planted-wire.ts', "import type { Buyer } from '@aparta/contract/account';"],
  ['web/src/data/planted.ts', "import '../purchases/plan.ts';"],
  ['web/src/data/planted-part.ts', "import '@aparta/ui/button.tsx';"],
  ['web/src/session/planted-data.ts', "import '../data/account.ts';"],
  ['web/src/session/planted.ts', "import '../payments/card-payment-page.tsx';"],
  ['ui/src/planted.ts', "import '@aparta/contract/amount';"],
  ['ui/src/planted-web.ts', "import '@aparta/web/app/config';"],
  ['ui/src/planted-path.ts', "import '../../web/src/app/config.ts';"],
  ['ui/src/planted-query.ts', "import '@tanstack/react-query';"],
  ['ui/src/planted-browser.ts', "import '@aparta/browser/call.ts';"],
  ['browser/src/planted.ts', "import '@aparta/web/app/config';"],
  ['web/src/purchases/planted-core.ts', "import '@aparta/browser/call.ts';"],
  ['counter/src/till/planted.ts', "import '@aparta/web/app/config';"],
  ['counter/src/till/planted-wire.ts', "import '@aparta/contract/counter-payments';"],
  ['counter/src/till/planted-call.ts', "import '../data/call.ts';"],
  ['admin/src/commands/planted.ts', "import '@aparta/sandbox/app';"],
  ['admin/src/commands/planted-sql.ts', "import 'kysely';"],
  ['admin/src/commands/planted-adapter.ts', "import '@aparta/server/payments/card-provider/clip';"],
  ['e2e/planted.e2e.ts', "import '@aparta/server/platform/refusal';"],
  ['e2e/planted-value.e2e.ts', "import { signIn } from '@aparta/contract/account';\nvoid signIn;"],
  ['tools/src/planted.ts', "import '../../server/src/platform/refusal.ts';"],
];

/** Imports that the house needs: a zone that refused them would be obeyed by nobody. */
const ALLOWED: [file: string, source: string][] = [
  ['domain/src/allowed.ts', "import './money.ts';"],
  ['contract/src/allowed.ts', "import '@aparta/domain/money';\nimport 'valibot';"],
  ['server/src/payments/tills/allowed.ts', "import '@aparta/domain/money';\nimport './store.ts';"],
  ['server/src/payments/tills/asks.ts', "import '../card-provider/port.ts';"],
  ['server/src/payments/tills/routes.ts', "import '@aparta/contract/tills';\nimport './present.ts';"],
  ['server/src/compose.ts', "import './payments/card-provider/clip.ts';"],
  ['server/src/main.ts', "import './env.ts';"],
  ['ui/src/allowed.ts', "import '@aparta/domain/money';\nimport 'wouter';\nimport 'jsbarcode/bin/x.js';"],
  ['web/src/purchases/allowed.ts', "import '@aparta/ui/button.tsx';\nimport '../app/paths.ts';"],
  ['web/src/cash/allowed.ts', "import '@aparta/browser/api-error.ts';"],
  ['counter/src/till/allowed.ts', "import '@aparta/ui/button.tsx';\nimport '../data/payments.ts';"],
  ['counter/src/data/allowed.ts', "import '@aparta/contract/counter-payments';\nimport './call.ts';"],
  ['web/src/data/allowed.ts', "import '@aparta/contract/purchases';\nimport '../api/client.ts';"],
  ['admin/src/commands/allowed.ts', "import '@aparta/server/catalogue/merchants/save-company';"],
  [
    'e2e/allowed.e2e.ts',
    "import type { SignIn } from '@aparta/contract/account';\nvoid (0 as unknown as SignIn);",
  ],
];

const CYCLE: [file: string, source: string][] = [
  ['domain/src/egg.ts', "import { hen } from './hen.ts';\nexport const egg = () => hen;"],
  ['domain/src/hen.ts', "import { egg } from './egg.ts';\nexport const hen = () => egg;"],
];

type Diagnostic = { code: string; filename: string };

/**
 * Whether the linter's zones still bite: plants imports in a copy of the tree's shape, under the configuration
 * given, and names each forbidden one that passed and each allowed one that was refused.
 */
export function toothlessZones(configFile: string): string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-zones-'));
  try {
    fs.copyFileSync(configFile, path.join(folder, '.oxlintrc.json'));
    for (const [file, source] of [...FORBIDDEN, ...ALLOWED, ...CYCLE]) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), `${source}\n`);
    }
    const refused = refusedFiles(folder);
    return [
      ...FORBIDDEN.filter(([file]) => !refused('no-restricted-imports').has(file)).map(
        ([file, source]) => `passes, and must not: ${firstLine(source)} in ${file}`,
      ),
      ...ALLOWED.filter(([file]) => refused('no-restricted-imports').has(file)).map(
        ([file, source]) => `is refused, and is needed: ${firstLine(source)} in ${file}`,
      ),
      ...(refused('no-cycle').size > 0 ? [] : ['passes, and must not: a cycle of two files']),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function refusedFiles(folder: string): (rule: string) => Set<string> {
  const oxlint = new URL('../../../node_modules/oxlint/bin/oxlint', import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return (rule) =>
    new Set(
      diagnostics
        .filter(({ code }) => code.includes(rule))
        .map((each) => each.filename.replaceAll('\\', '/')),
    );
}

function firstLine(source: string): string {
  return source.split('\n')[0] ?? '';
}
