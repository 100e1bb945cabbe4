import fs from 'node:fs';
import path from 'node:path';
import { sourceFiles } from './source-files.ts';

/**
 * Which server feature may import which files of which other; what is not here is refused. The linter's zones
 * see one import at a time and cannot tell from which feature it comes, so the edges live here.
 */
const EDGES: Record<string, Record<string, RegExp>> = {
  account: { legal: /^store\.ts$/ },
  legal: {},
  privacy: {},
  labels: {},
  merchants: {},
  readiness: {},
  purchases: { merchants: /^store\.ts$/, invoices: /^(store|present|invoice)\.ts$/ },
  ledger: { purchases: /^store\.ts$/ },
  layaway: { merchants: /^store\.ts$/, purchases: /./, ledger: /./ },
  payments: { instalments: /./, merchants: /^store\.ts$/, purchases: /./, layaway: /./, ledger: /./ },
  tills: {
    instalments: /./,
    merchants: /^store\.ts$/,
    purchases: /./,
    layaway: /./,
    payments: /./,
    ledger: /./,
    invoices: /^store\.ts$/,
  },
  instalments: { purchases: /./, ledger: /./ },
  cash: {
    instalments: /./,
    purchases: /./,
    ledger: /./,
    payments: /^store\.ts$/,
    invoices: /^store\.ts$/,
  },
  cancellations: { ledger: /./, invoices: /^(store|cancel-with-purchase)\.ts$/ },
  receipts: {},
  invoices: {},
  settlements: { ledger: /./ },
  // What an operator does about money and papers: each act is its feature's own.
  operations: {
    cancellations: /./,
    cash: /./,
    instalments: /./,
    invoices: /./,
    layaway: /./,
    ledger: /./,
    merchants: /^store\.ts$/,
    payments: /./,
    purchases: /./,
    receipts: /./,
    tills: /./,
  },
};

/** Imports between the server's features that no edge allows. `root` is the repository. */
export function strayEdges(root: string): string[] {
  const base = path.join(root, 'server', 'src');
  if (!fs.existsSync(base)) return [];
  return sourceFiles(base)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const from = file.split('/')[0] ?? '';
      const edges = EDGES[from];
      if (!edges) return [];
      return importsOf(path.join(base, file)).flatMap((specifier) => {
        const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
        const [to = '', ...rest] = target.split('/');
        if (!specifier.startsWith('.') || to === from || !(to in EDGES)) return [];
        if (edges[to]?.test(rest.join('/'))) return [];
        return [`server/src/${file}: ${from} may not import ${to}/${rest.join('/')}`];
      });
    });
}

function importsOf(file: string): string[] {
  const source = fs.readFileSync(file, 'utf8');
  return [...source.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}
