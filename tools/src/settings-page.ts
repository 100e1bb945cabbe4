import { documentedSettings, type DocumentedSetting } from '@aparta/server/settings-schema';
import { DEVELOPMENT_SETTINGS } from './settings.ts';

/** docs/settings.md, from the schema that reads the settings. */
export function settingsPage(): string {
  const settings = documentedSettings();
  const files = settings.filter(({ secret }) => secret).map(({ name }) => `\`${name}_FILE\``);
  return `# Settings

Made by \`npm run docs\` from \`server/src/settings-schema.ts\`; \`npm run verify\` fails when it is stale.

The environment decides everything that is listed here. In development every setting is optional. The server refuses to start with a setting
that it cannot use, and names every problem at once.

Each secret may come from a file instead, as Docker and systemd hand them over: ${files.join(', ')} name
files that hold the value alone.

## Required in production

The defaults are those of development; production has none of them.

${table(settings.filter(({ required }) => required))}

## With a default

${table(settings.filter(({ required }) => !required))}

## Of the commands in a checkout

The server does not read these. Two copies run side by side with different \`PORT\`, \`SANDBOX_PORT\` and \`DATA_DIR\`.

${table(DEVELOPMENT_SETTINGS)}
`;
}

function table(settings: readonly DocumentedSetting[]): string {
  const rows = settings.map(({ name, about, fallback, otherwise, required, secret }) => [
    `\`${name}\``,
    about,
    otherwise ?? (secret ? 'one for the sandbox' : fallback ? `\`${fallback}\`` : 'none'),
    required ? 'yes' : '',
    secret ? 'yes' : '',
  ]);
  const head = ['Setting', 'What it is for', 'Default', 'Required in production', 'Secret'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
