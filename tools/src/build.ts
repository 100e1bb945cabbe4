import { buildWeb } from './build-web.ts';
import { runCommand, say } from './run-command.ts';

/** Builds what is built: the web app. The server runs its sources. */
await runCommand(async () => {
  await buildWeb(say);
  say('The web app is built');
});
