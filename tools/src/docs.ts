import fs from 'node:fs';
import path from 'node:path';
import { runCommand } from './run-command.ts';
import { settingsPage } from './settings-page.ts';
import { statesPage } from './states-page.ts';
import { root } from './steps.ts';

/** Writes the pages of docs/ that are made from the code; `verify` says when one is stale. */
await runCommand(async () => {
  fs.writeFileSync(path.join(root, 'docs', 'settings.md'), settingsPage());
  fs.writeFileSync(path.join(root, 'docs', 'rules', 'states.md'), statesPage());
});
