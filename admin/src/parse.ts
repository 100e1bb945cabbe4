import yargs, { type Argv } from 'yargs';
import type { Command } from './command.ts';
import { NOUNS, SAYS } from './copy.ts';

type Parsed =
  | { readonly kind: 'command'; readonly command: Command; readonly args: Readonly<Record<string, unknown>> }
  /** Help was asked for, or no command was given. */
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'misunderstood'; readonly text: string };

const WIDTH = 100;
const GLOBAL = {
  json: { type: 'boolean', describe: SAYS.json, default: false },
  as: { type: 'string', requiresArg: true, describe: SAYS.as },
} as const;

/** Finds the command of a line and reads its arguments. Prints nothing. */
export async function parse(commands: readonly Command[], argv: readonly string[]): Promise<Parsed> {
  let chosen: Omit<Extract<Parsed, { kind: 'command' }>, 'kind'> | undefined;
  let printed = '';
  let problem: string | undefined;
  const parser = yargs([])
    .scriptName('npm run admin --')
    .locale('es')
    .updateStrings({ 'Show help': SAYS.help, ...SAYS.plurals } as never)
    .wrap(WIDTH)
    .usage(SAYS.usage)
    .help('help')
    .version(false)
    .parserConfiguration({ 'duplicate-arguments-array': false, 'boolean-negation': false })
    .exitProcess(false)
    .showHelpOnFail(false)
    .options(GLOBAL)
    .epilogue(SAYS.epilogue)
    .strict()
    .recommendCommands()
    .demandCommand(1, SAYS.whichCommand)
    .fail((message: string | null, error) => {
      problem ??= message ?? error?.message;
      throw error ?? new Error(message ?? '');
    });
  grow(parser, commands, [], (command, args) => (chosen = { command, args }));
  try {
    await parser.parseAsync([...argv], {}, (_error: unknown, _args: unknown, output: string) => {
      printed = output;
    });
  } catch (error) {
    problem ??= (error as Error).message;
  }
  if (argv.length === 0) return { kind: 'help', text: await parser.getHelp() };
  if (problem !== undefined) return { kind: 'misunderstood', text: `${problem}\n${SAYS.seeHelp}` };
  if (chosen === undefined) return { kind: 'help', text: printed };
  return { kind: 'command', ...chosen };
}

/** One level of words: `company` holds `company add` and `company logo`, which holds `company logo set`. */
function grow(
  parser: Argv,
  commands: readonly Command[],
  path: readonly string[],
  choose: (command: Command, args: Readonly<Record<string, unknown>>) => void,
): Argv {
  const words = new Set(commands.map(({ spec }) => spec.name.split(' ')[path.length] ?? ''));
  for (const word of words) {
    const here = [...path, word];
    const name = here.join(' ');
    const leaf = commands.find(({ spec }) => spec.name === name);
    if (leaf === undefined) {
      parser.command(word, NOUNS[name] ?? '', (deeper) =>
        grow(
          deeper,
          commands.filter(({ spec }) => spec.name.startsWith(`${name} `)),
          here,
          choose,
        ).demandCommand(1, SAYS.whichCommand),
      );
      continue;
    }
    const { says, positionals = {}, options = {}, examples } = leaf.spec;
    parser.command(
      [word, ...Object.keys(positionals).map((positional) => `<${positional}>`)].join(' '),
      says,
      (own) => {
        for (const [key, positional] of Object.entries(positionals)) own.positional(key, positional as never);
        for (const [key, option] of Object.entries(options)) own.option(asTyped(key), option);
        if (leaf.kind === 'changes') own.option('dry-run', { type: 'boolean', describe: SAYS.dryRun });
        for (const [line, does] of examples) own.example(`npm run admin -- ${line}`, does);
        return own;
      },
      (args) => choose(leaf, args),
    );
  }
  return parser;
}

/** `businessName` is typed as `--business-name`; the parser answers under both. */
function asTyped(key: string): string {
  return key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}
