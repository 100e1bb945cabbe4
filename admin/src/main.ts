import { runAdmin } from './run.ts';
import { processTerminal } from './terminal.ts';

/** The operator's commands, with the settings of the server. */
process.exitCode = await runAdmin(process.argv.slice(2), { env: process.env, terminal: processTerminal() });
