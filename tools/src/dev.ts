import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildEnvironment, buildProduct } from './build-product.ts';
import { startProduct, type Part } from './product.ts';
import { DIE_WITH_PARENT } from './program.ts';
import { asked, runCommand, say } from './run-command.ts';
import { settingsFromEnvironment } from './settings.ts';
import { StartFailure } from './start-failure.ts';
import { watchFolders } from './watch-folders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `npm start`, with web and counter built again and the programs begun again whenever their sources change. */
await runCommand(async () => {
  const end = asked();
  const product = await startProduct({
    ...settingsFromEnvironment(),
    build: buildProduct,
    server: 'server/src/main.ts',
    log: say,
  });
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const builders = ['web', 'counter'].map((folder) =>
    spawn(
      process.execPath,
      [...DIE_WITH_PARENT, vite, 'build', '--watch', '--sourcemap', '--clearScreen', 'false'],
      { cwd: path.join(root, folder), env: buildEnvironment(), stdio: ['pipe', 'inherit', 'inherit'] },
    ),
  );
  const both = ['domain/src', 'provider-wire/src'];
  const watched = await Promise.all([
    restartOnChange('server', product.server, ['server/src', 'contract/src', ...both]),
    restartOnChange('sandbox', product.sandbox, ['sandbox/src', ...both]),
  ]);
  say(`Ready at ${product.origin}; Ctrl-C stops everything`);
  await Promise.race([end, product.broken.then(say)]);
  for (const stopWatching of watched) await stopWatching();
  builders.forEach((builder) => builder.kill());
  await product.stop();
});

function restartOnChange(name: string, part: Part, folders: string[]): Promise<() => Promise<void>> {
  let busy = Promise.resolve();
  const restart = async () => {
    await part.stop();
    await part.start();
    say(`The ${name} was started again`);
  };
  return watchFolders(
    folders.map((folder) => path.join(root, folder)),
    () => {
      // A mistake in the source ends the program, not us: the next change tries again.
      busy = busy.then(restart).catch((error: unknown) => {
        say(error instanceof StartFailure ? error.message : String(error));
      });
    },
  );
}
