import { createSandbox } from './app.ts';

// Consecutive, so that one setting moves them all.
const port = Number(process.env['SANDBOX_PORT'] ?? 4000);

try {
  const sandbox = await createSandbox({
    productOrigin: new URL(process.env['PRODUCT_ORIGIN'] ?? 'http://localhost:3000').origin,
    ports: { api: port, smtp: port + 1, frame: port + 2, threeDs: port + 3 },
    dataDir: process.env['DATA_DIR'] ?? './.data',
  });
  process.stdout.write(`sandbox: ${sandbox.apiUrl} (mail: smtp://localhost:${sandbox.smtpPort})\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
} catch (error) {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
