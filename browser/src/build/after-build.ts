import { resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

/** A plugin that runs when a build is written to `dist`, after those before it. */
export function afterBuild(
  name: string,
  run: (dist: string, config: ResolvedConfig) => Promise<void>,
): Plugin {
  let config: ResolvedConfig;
  return {
    name,
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle: {
      sequential: true,
      handler: () => run(resolve(config.root, config.build.outDir), config),
    },
  };
}
