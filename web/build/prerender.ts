import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type PluginOption } from 'vite';
import type { RenderedFrame, RenderedPage } from '../src/app/prerender.tsx';
import { filesOf, readManifest } from './manifest.ts';

const ROOT = '<div id="root"></div>';

/**
 * Runs after the client build. Renders the public pages into copies of index.html, so that they paint before
 * scripts run, and the signed-in frame into others that preload their screen. `%PRODUCT_NAME%` and the
 * configuration are left for the server.
 */
export function prerender({
  entry,
  plugins,
}: {
  entry: string;
  /** Must be the client build's plugins, or class names will differ. */
  plugins: () => PluginOption[];
}): Plugin {
  let root: string;
  let dist: string;
  return {
    name: 'prerender',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      dist = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        // Inside the package, so that its imports resolve.
        const out = join(root, 'dist', '.prerender');
        await build({
          root,
          configFile: false,
          logLevel: 'warn',
          plugins: plugins(),
          ssr: { noExternal: [/^@aparta\//] },
          build: { ssr: entry, outDir: out, copyPublicDir: false, emptyOutDir: true, minify: false },
        });
        const { renderPublicPages, renderFrames } = (await import(
          pathToFileURL(join(out, 'prerender.js')).href
        )) as {
          renderPublicPages: () => Promise<RenderedPage[]>;
          renderFrames: () => RenderedFrame[];
        };
        const shell = await readFile(join(dist, 'index.html'), 'utf8');
        if (!shell.includes(ROOT)) throw new Error(`index.html has no ${ROOT}`);
        for (const { file, path, title, html } of await renderPublicPages()) {
          const page = quietScripts(shell)
            .replace(/<title>.*<\/title>/, () => `<title>${title}</title>`)
            .replace(ROOT, () => `<div id="root" data-rendered="${path}">${html}</div>`);
          await checkStyled(html, join(dist, 'assets'));
          await writeFile(join(dist, file), page);
        }
        const manifest = await readManifest(dist);
        for (const { file, modules, html } of renderFrames()) {
          const links = filesOf(manifest, 'index.html', modules, { atOnce: true })
            .filter((address) => !shell.includes(`"${address}"`))
            .map(linkTo);
          const page = quietScripts(shell.replace('</head>', () => `${links.join('')}</head>`)).replace(
            ROOT,
            () => `<div id="root">${html}</div>`,
          );
          await checkStyled(html, join(dist, 'assets'));
          await writeFile(join(dist, file), page);
        }
        await rm(out, { recursive: true });
      },
    },
  };
}

/** The first paint needs only styles: on a slow line scripts would compete with them. */
function quietScripts(page: string): string {
  return page.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');
}

function linkTo(address: string): string {
  const rel = address.endsWith('.css') ? 'stylesheet' : 'modulepreload';
  return `  <link rel="${rel}" crossorigin href="${address}">\n  `;
}

/**
 * Hydration does not fix class names: HTML with classes the client's CSS does not have would stay unstyled.
 */
async function checkStyled(html: string, assets: string): Promise<void> {
  const sheets = (await readdir(assets)).filter((file) => file.endsWith('.css'));
  const css = (await Promise.all(sheets.map((file) => readFile(join(assets, file), 'utf8')))).join('');
  const names = [...html.matchAll(/class="(_[^"\s]+)/g)].map(([, name]) => name as string);
  const unknown = names.find((name) => !css.includes(`.${name}`));
  if (names.length === 0 || unknown !== undefined)
    throw new Error(`no style sheet knows the class ${unknown}`);
}
