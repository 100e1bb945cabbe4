import { buildProduct } from './build-product.ts';
import { runCommand, say } from './run-command.ts';

/** Builds what is built: the two web apps, and the server. */
await runCommand(async () => {
  await buildProduct(say);
  say('The web apps and the server are built');
});
