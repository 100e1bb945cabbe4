import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * Writes `.br` and `.gz` beside every asset at build, so that the server never compresses. Pages are left
 * out, because the server injects the configuration into them.
 */
export function precompress(): Plugin {
  let assets: string;
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      assets = resolve(config.root, config.build.outDir, config.build.assetsDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const files = (await readdir(assets)).filter((file) => /\.(js|css|svg|wasm)$/.test(file));
        await Promise.all(
          files.map(async (file) => {
            const plain = await readFile(join(assets, file));
            const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
            await writeFile(join(assets, `${file}.br`), brotliCompressSync(plain, { params: quality }));
            await writeFile(join(assets, `${file}.gz`), gzipSync(plain, { level: 9 }));
          }),
        );
      },
    },
  };
}
