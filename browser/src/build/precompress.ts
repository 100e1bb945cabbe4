import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { afterBuild } from './after-build.ts';

/**
 * Writes `.br` and `.gz` beside every asset at build, so that the server never compresses. Pages are left
 * out, because the server injects the configuration into them.
 */
export function precompress(): Plugin {
  return afterBuild('precompress', async (dist, { build }) => {
    const assets = join(dist, build.assetsDir);
    const files = (await readdir(assets)).filter((file) => /\.(js|css|svg|wasm)$/.test(file));
    await Promise.all(
      files.map(async (file) => {
        const plain = await readFile(join(assets, file));
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(join(assets, `${file}.br`), brotliCompressSync(plain, { params: quality }));
        await writeFile(join(assets, `${file}.gz`), gzipSync(plain, { level: 9 }));
      }),
    );
  });
}
