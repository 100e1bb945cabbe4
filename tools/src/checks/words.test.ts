import { afterEach, expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { oldWords } from './words.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function problems(file: string, text: string): string[] {
  const tree = plantTree({ [file]: text });
  undo.push(tree.remove);
  return oldWords(tree.root);
}

test.each([
  ['server/src/a.ts', '\nqueueMail(tx);', "2 'queueMail': say sendEmail"],
  ['server/src/a.ts', 'const invoiceLetters = 1;', "1 'Letters': say email"],
  ['server/src/a.ts', '/** Sends a letter. */', "1 'letter': say email"],
  ['server/src/a.test.ts', "test('the letter goes once', go);", "1 'letter': say email"],
  ['server/src/mail/letter.ts', '', "0 'letter': say email"],
  ['server/src/a.ts', "db.selectFrom('machine_sessions')", "1 'machine': say service account"],
  ['docs/a.md', 'A machine account calls.', "1 'machine account': say service account"],
  ['server/src/a.ts', 'await claimLook(tx);', "1 'Look': say poll"],
  ['web/src/a.tsx', 'const a = <Button look="quiet" />;', "1 'look': say poll, check or refresh; variant"],
  ['server/src/a.ts', '// The next look finds it.', "1 'next look': say poll or check"],
  ['server/src/a.ts', 'sql`update x set looked_at = 1`', "1 'looked_at': say poll or check"],
  ['server/migrations/0001_a.sql', 'create table alarms ();', "1 'alarms': say alert"],
  ['docs/runbook.md', 'It rings again.', "1 'rings': say alerts"],
  ['server/src/a.ts', "export const a = { kind: 'dark' };", "1 'dark': say unreachable"],
  ['server/src/a.ts', "export const a = { kind: 'never' };", "1 ''never'': say not_sent"],
  ['server/src/payments/attempt.ts', 'const table = { odd: stay, ok: stay };', "1 'odd:': say mismatch"],
  ['server/src/a.ts', '// Cash without a home.', "1 'without a home': say unapplied"],
  ['server/src/a.ts', 'row.card_mark', "1 'card_mark': say card fingerprint"],
  ['server/src/a.ts', 'type A = RefundWay;', "1 'Way': say payment method, or channel"],
  ['server/src/merchants/keep-product.ts', '', "0 '/keep-': say save-* or update-*"],
  ['admin/src/a.ts', '// What left it outside.', "1 'left it outside': say external refund, chargeback"],
  ['server/src/a.ts', "await job['settle_attempt']();", "1 'settle_attempt': say resolve"],
  ['domain/src/a.ts', "type A = 'active' | 'settled';", "1 ''settled'': say paid_off"],
  ['web/src/ui/a.css', '.late { color: red }', "1 'late': say danger"],
  ['web/src/a.tsx', 'const a = <Chip tone="late" />;', `1 '"late"': say danger`],
  ['web/src/a.tsx', 'const a = <Bone />;', "1 'Bone': say what it is"],
  ['web/src/payments/ends.tsx', '', "0 '/ends': say what the reader looks for"],
  ['server/src/a.ts', 'const told = listen();', "1 'told': say instrumentation"],
  ['docs/a.md', 'Two histories and their witness.', "1 'witness': say oracle, simulation"],
  ['server/migrations/0017_threats.sql', '', "0 '_threats': say the tables that it adds"],
  ['server/src/a.ts', '/** The in-person screen. */', "1 'in-person': say the cash channel"],
  ['web/src/a.ts', '// The buyer sees what he pays.', "1 'he': say they, or the role"],
])('%s: %s is reported', (file, text, problem) => {
  expect(problems(file, text).join('\n')).toContain(`${file}:${problem}`);
});

test.each([
  ['server/src/a.ts', 'const user = lookUp(lookup);'],
  ['server/src/a.ts', '// A person looks at it; capital letters and digits, a letter or a digit.'],
  ['web/src/a.css', 'a { letter-spacing: 0 } @media (prefers-color-scheme: dark) {}'],
  ['docs/production.md', 'A second machine takes over.'],
  ['server/src/a.ts', 'function fail(text: string): never {}'],
  ['server/src/http/headers.ts', `const policy = "default-src 'none'";`],
  ['server/src/a.ts', 'const isOnItsWay = always(anyway, layaway);'],
  ['web/src/payments/copy.ts', "export const copy = { paid: 'Ya lo he leído: alarm' };"],
  ['provider-wire/src/a.ts', 'export const letter = 1;'],
  ['web/src/a.ts', 'const isLate = next.late;'],
])('%s: %s passes', (file, text) => expect(problems(file, text)).toEqual([]));
