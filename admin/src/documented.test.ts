import fs from 'node:fs';
import { ALERT_KINDS } from '@aparta/server/platform/alerts';
import { WAITING_KINDS } from '@aparta/server/back-office/operations/waiting.read-model';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { actOf, alertAct } from './commands/payments-copy.ts';

const root = new URL('../../', import.meta.url);
const documents = [
  'README.md',
  ...fs
    .readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const inKebab = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

test('every command that the documents tell an operator to type exists, with its options', () => {
  const spec = documents.flatMap((name) =>
    [...fs.readFileSync(new URL(name, root), 'utf8').matchAll(/npm run admin -- ([a-z][^`\n#|]*)/g)].map(
      ([, line = '']) => [name, line.trim()] as const,
    ),
  );
  expect(spec.length).toBeGreaterThan(10);
  const wrong = spec.filter(([, line]) => {
    const named = COMMANDS.map(({ spec: command }) => command).filter(
      ({ name }) => `${line} `.startsWith(`${name} `) || name.startsWith(`${line} `),
    );
    const options = [...line.matchAll(/(?<=\s--)[a-z-]+/g)].map(([option]) => option);
    return !named.some(({ options: known = {} }) => {
      const typed = ['dry-run', 'json', 'as', 'help', ...Object.keys(known).map(inKebab)];
      return options.every((option) => typed.includes(option));
    });
  });
  expect(wrong).toEqual([]);
});

const RUNBOOK = fs.readFileSync(new URL('docs/runbook.md', root), 'utf8');

describe('what waits for a person', () => {
  const acts = [
    ...WAITING_KINDS.filter((kind) => kind !== 'alert').map(
      (kind) => [kind, actOf({ kind, id: '7', detail: '' })] as const,
    ),
    ...ALERT_KINDS.map((kind) => [kind, alertAct(kind, '7')] as const),
    ...[...RUNBOOK.matchAll(/`(AI\d{4}|the key cannot be opened|another amount)`/g)].map(
      ([, code = '']) => [`refund_blocked ${code}`, alertAct('refund_blocked', '7', code)] as const,
    ),
  ];

  test.each(acts)(
    '%s has a next act, with commands that exist and all that they demand',
    (_kind, { next }) => {
      const nouns = new Set(COMMANDS.map(({ spec }) => spec.name.split(' ')[0]));
      const lines = next.split(/; luego,? | o |: /).filter((line) => nouns.has(line.split(' ')[0]));
      expect(lines).not.toEqual([]);
      const wrong = lines.filter((line) => {
        const [noun, verb, ...rest] = line.replaceAll('"..."', '...').split(' ');
        const command = COMMANDS.find(({ spec }) => spec.name === `${noun} ${verb}`)?.spec;
        const { positionals = {}, options = {} } = command ?? {};
        const given = rest.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
        const demanded = Object.keys(options).filter((name) => options[name]?.demandOption === true);
        const first = rest.findIndex((word) => word.startsWith('--'));
        return (
          command === undefined ||
          (first === -1 ? rest.length : first) < Object.keys(positionals).length ||
          !given.every((option) => Object.keys(options).map(inKebab).includes(option)) ||
          !demanded.every((option) => given.includes(inKebab(option)))
        );
      });
      expect(wrong).toEqual([]);
    },
  );

  test('has its row in the runbook where it raises an alert, and every anchor of those rows is there', () => {
    const rows = RUNBOOK.split('\n').filter((line) => line.startsWith('|`'));
    const missing = ALERT_KINDS.filter(
      (kind) => !rows.some((row) => row.split('|')[1]?.includes(`\`${kind}\``)),
    );
    expect(missing).toEqual([]);
    const anchors = [...RUNBOOK.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const lost = [...RUNBOOK.matchAll(/\]\(#([^)]*)\)/g)].flatMap(([, to = '']) =>
      anchors.includes(to) ? [] : to,
    );
    expect(lost).toEqual([]);
  });
});
