import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterBuild } from '@aparta/browser/build/after-build.ts';
import { openAgainPlugin } from '@aparta/browser/build/open-again.ts';
import { tooOld } from '@aparta/browser/build/too-old.ts';
import { build, type Plugin, type PluginOption } from 'vite';
import { checkStyled, ROOT } from './prerender.ts';

/**
 * Builds a document of its own after the client build, beside it: it shares no file with the application, so that it loads no more
 * than it shows, and holds nothing that knows of a session. Runs after `prerender`, which draws it. Its manifest is `.vite/<name>.json`.
 * A plugin of the client build that watches this one too says so by `api.apart`.
 */
export function apart({ name, plugins }: { name: string; plugins: () => PluginOption[] }): Plugin {
  return afterBuild('apart', async (dist, { root, plugins: clients }) => {
    const watching = clients.filter(({ api }: { api?: { apart?: boolean } }) => api?.apart === true);
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [...plugins(), openAgainPlugin(), tooOld(), ...watching],
      build: {
        outDir: dist,
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: `.vite/${name}.json`,
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        rolldownOptions: { input: resolve(root, `${name}.html`) },
      },
    });
    const { renderHelping } = (await import(pathToFileURL(join(dist, '.server', 'prerender.js')).href)) as {
      renderHelping: () => string;
    };
    const file = join(dist, `${name}.html`);
    const html = renderHelping();
    await checkStyled(html, join(dist, 'assets'));
    const page = await readFile(file, 'utf8');
    await writeFile(
      file,
      page.replace(ROOT, () => `<div id="root">${html}</div>`),
    );
  });
}
