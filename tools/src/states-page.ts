import { INVOICE } from '@aparta/server/invoicing/invoices/invoice';
import { REFUND } from '@aparta/server/ledger/refunds/refund';
import { ATTEMPT } from '@aparta/server/payments/cards/attempt';
import { CASH_NOTICE } from '@aparta/server/payments/cash/cash-notice';
import { TILL_OPERATION } from '@aparta/server/payments/tills/till-operation';
import { EMAIL } from '@aparta/server/platform/email/email';
import type { Lifecycle } from '@aparta/server/platform/lifecycle';
import { CASH_REFERENCE } from '@aparta/server/purchases/cash-references/cash-reference';
import { CLAIM } from '@aparta/server/purchases/claims/claim';
import { HELP_LINK } from '@aparta/server/purchases/help-links/help-link';
import { LAYAWAY_REFERENCE } from '@aparta/server/purchases/layaways/layaway-reference';
import { PURCHASE } from '@aparta/server/purchases/plans/purchase';

const LIVES: readonly { readonly title: string; readonly draw: () => string }[] = [
  { title: 'Card attempt', draw: () => diagram(ATTEMPT) },
  { title: 'Refund', draw: () => diagram(REFUND) },
  { title: 'Cash reference', draw: () => diagram(CASH_REFERENCE) },
  { title: 'Cash of the provider', draw: () => diagram(CASH_NOTICE) },
  { title: 'Invoice', draw: () => diagram(INVOICE) },
  { title: 'Layaway reference', draw: () => diagram(LAYAWAY_REFERENCE) },
  { title: 'Purchase', draw: () => diagram(PURCHASE) },
  { title: 'Claim', draw: () => diagram(CLAIM) },
  { title: 'Help link', draw: () => diagram(HELP_LINK) },
  { title: 'Till operation', draw: () => diagram(TILL_OPERATION) },
  { title: 'Email', draw: () => diagram(EMAIL) },
];

/** docs/rules/states.md: each thing that has a life, drawn from its table. */
export function statesPage(): string {
  return `# States

Made by \`npm run docs\` from the tables in the code; \`npm run verify\` fails when it is stale.
${LIVES.map(({ title, draw }) => `\n## ${title}\n\n\`\`\`mermaid\nstateDiagram-v2\n${draw()}\n\`\`\`\n`).join('')}`;
}

/** One arrow per pair of states, with all events that lead along it. */
function diagram<State extends string, Event extends string>({
  initial,
  moves,
}: Lifecycle<State, Event>): string {
  const arrows = new Map<string, string[]>();
  for (const from of Object.keys(moves) as State[]) {
    for (const [event, targets] of Object.entries(moves[from]) as [Event, State | readonly State[]][]) {
      for (const to of [targets].flat() as State[]) {
        const arrow = `${from} --> ${to}`;
        arrows.set(arrow, [...(arrows.get(arrow) ?? []), event]);
      }
    }
  }
  return [
    `  [*] --> ${initial}`,
    ...[...arrows].map(([arrow, events]) => `  ${arrow}: ${events.join(', ')}`),
  ].join('\n');
}
