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
  ['server/src/a.ts', '/** An in-person payment. */', "1 'in-person': say the cash channel"],
  ['web/src/a.ts', '// The buyer sees what he pays.', "1 'he': say they, or the role"],
  // Beside what is rightly used.
  ['docs/a.md', '`the papers: letter and A4; the letter of a buyer`', "1 'letter': say email"],
  ['docs/a.md', 'The buyer writes to the letter box.', "1 'letter': say email"],
  ['web/test/a.ts', '// Signs in with a machine account.', "1 'machine account': say service account"],
  ['web/src/a.ts', '// A busy machine.', "1 'machine': say service account"],
  ['server/src/a.ts', 'const isDark = state.dark;', "1 'Dark': say unreachable"],
  ['server/src/a.ts', "const kinds = ['alert', 'dark'];", "1 'dark': say unreachable"],
  ['server/src/a.ts', '// In dark mode, the provider is dark.', "1 'dark': say unreachable"],
  ['server/src/settings.ts', "if (seen === 'never') stop();", "1 ''never'': say not_sent"],
  ['contract/src/cancellations.ts', "const way = v.picklist(['card']);", "1 'way': say payment method"],
  ['contract/src/cancellations.ts', 'type A = RefundWay;', "1 'Way': say payment method"],
  ['contract/src/payments.ts', 'v.object({ way: v.string() })', "1 'way': say payment method"],
  ['web/src/data/cancellations.ts', 'lines.map(({ way }) => way);', "1 'way': say payment method"],
  ['web/src/a.test.ts', 'const ways = [quote.ways];', "1 'ways': say payment method"],
  ['web/src/purchases/a.tsx', 'copy.states[refund.way]', "1 'way': say payment method"],
  ['web/src/data/a.ts', 'const isSettled = onSettled;', "1 'isSettled': say paid_off"],
  ['server/src/a.ts', 'listen({ onSettled: go });', "1 'onSettled': say paid_off"],
  ['web/src/payments/copy.ts', "const copy = { settled: 'Liquidada' };", "1 'settled:': say paid_off"],
  ['server/src/back-office/settlements/a.ts', '// A settled purchase.', "1 'settled purchase': say paid_off"],
  ['server/src/payments/resolve-a.ts', 'const table = { back: stay };', "1 'back:': say mismatch"],
  ['web/src/a.tsx', "const a = <Chip state='late' tone={b ? 'late' : 'next'} />;", "1 ''late'': say danger"],
  ['ui/src/chip.tsx', "type Tone = 'next' | 'late';", "1 ''late'': say danger"],
  ['ui/src/chip.tsx', "const look = { tone: 'late' };", "1 ''late'': say danger"],
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
  ['docs/a.md', '`the papers: letter and A4`, `ten on a letter page`; texts are kept to the letter.'],
  ['web/test/a.ts', '// A busy machine does not fail a test.'],
  ['e2e/a.ts', "type A = 'light' | 'dark'; const all = ['light', 'dark']; // The dark scheme."],
  ['server/src/a.ts', '/** Dark mode. */ const css = `@media (prefers-color-scheme: dark) {}`;'],
  ['server/src/settings-schema.ts', "expected === 'never' ? 'too many' : 'none'"],
  ['contract/src/cancellations.ts', 'v.object({ amount: pesos, way: method })'],
  ['web/src/data/cancellations.ts', 'const method = wire.way;'],
  ['server/src/a.http.test.ts', "expect(refund.way).toEqual([{ way: 'card' }]);"],
  ['web/src/data/a.ts', 'mutationOptions({ onSettled: refresh });'],
  ['server/src/back-office/settlements/copy.ts', "const copy = { settled: 'Pagadas', back: 'Devueltas' };"],
  ['server/src/back-office/settlements/report.ts', "const parts = ['settled', 1];"],
  ['ui/src/chip.tsx', 'const a = <Chip tone="danger" state="late" />;'],
  ['ui/src/progress.tsx', "type SegmentState = 'paid' | 'late'; const tones: Tone[] = [];"],
  ['web/src/a.ts', '/** The in-person screen. */'],
])('%s: %s passes', (file, text) => expect(problems(file, text)).toEqual([]));
