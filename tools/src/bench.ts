import { runCommand, say } from './run-command.ts';
import { StartFailure } from './start-failure.ts';

/** Loaded one at a time: measuring a database should not have to load a browser. */
const BENCHMARKS: Record<string, () => Promise<void>> = {
  'first-load': async () => (await import('@aparta/bench/first-load')).benchFirstLoad(say),
  bytes: async () => (await import('@aparta/bench/bytes')).benchBytes(say),
  'slow-line': async () => (await import('@aparta/bench/slow-line')).benchSlowLine(say),
  lighthouse: async () => (await import('@aparta/bench/lighthouse')).benchLighthouse(say),
  deposits: async () => (await import('@aparta/bench/deposits')).benchDeposits(say),
  instalments: async () => (await import('@aparta/bench/instalments')).benchInstalments(say),
  overload: async () => (await import('@aparta/bench/overload')).benchOverload(say),
  memory: async () => (await import('@aparta/bench/memory')).benchMemory(say),
  streams: async () => (await import('@aparta/bench/streams')).benchStreams(say),
  purchases: async () => (await import('@aparta/bench/purchases')).benchPurchases(say),
  shop: async () => (await import('@aparta/bench/shop-page')).benchShop(say),
};

/** Measures size and speed; arguments choose which, none means all. Aims are printed, and only breakage fails. */
await runCommand(async () => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) {
    throw new StartFailure(
      `There is no benchmark ${unknown.join(', ')}: choose of ${Object.keys(BENCHMARKS).join(', ')}.`,
    );
  }
  for (const [name, measure] of Object.entries(BENCHMARKS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    say(`Measuring ${name}`);
    await measure();
  }
});
