import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterBuild } from '@aparta/browser/build/after-build.ts';
import { build, type Plugin, type PluginOption } from 'vite';
import type { RenderedFrame, RenderedPage } from '../src/app/prerender.tsx';
import { filesOf, readManifest } from '@aparta/browser/build/manifest.ts';
import { APP } from './app.ts';

export const ROOT = '<div id="root"></div>';
/** Fetched beside our own files, and after what is painted; the server names it. */
const CARD_SCRIPT = '<link rel="preload" as="script" fetchpriority="low" href="%CARD_SCRIPT%">';
/** A browser that can makes the document ready to which a screen is about to lead (`data-ahead`). */
const RULES = JSON.stringify({
  prerender: [{ source: 'document', where: { selector_matches: '[data-ahead]' }, eagerness: 'immediate' }],
});
const NOSCRIPT = /<noscript[^]*?<\/noscript\s*>/;
const START = /<script type="module"[^>]*><\/script>/;

/**
 * Runs after the client build. Renders the public pages into copies of index.html, so that they paint before
 * scripts run, and the signed-in frame into others that preload their screen. `%PRODUCT_NAME%` and the
 * configuration are left for the server, and the code that draws, for pages that answer a form.
 */
export function prerender({
  entry,
  plugins,
}: {
  entry: string;
  /** Must be the client build's plugins, or class names will differ. */
  plugins: () => PluginOption[];
}): Plugin {
  return afterBuild('prerender', async (dist, { root }) => {
    // Inside the package, so that its imports resolve.
    const out = join(dist, '.server');
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: plugins(),
      // Whole, since the server draws with it.
      ssr: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: { ssr: entry, outDir: out, copyPublicDir: false, emptyOutDir: true, minify: false },
    });
    const { renderPublicPages, renderFrames } = (await import(
      pathToFileURL(join(out, 'prerender.js')).href
    )) as {
      renderPublicPages: () => Promise<RenderedPage[]>;
      renderFrames: () => RenderedFrame[];
    };
    const bare = await readFile(join(dist, 'index.html'), 'utf8');
    if (!bare.includes(ROOT)) throw new Error(`index.html has no ${ROOT}`);
    const manifest = await readManifest(dist);
    const start = await readFile(join(dist, String(manifest['index.html']?.file)), 'utf8');
    const app = `/${String(manifest[APP]?.file)}`;
    /** The document of a screen: its style sheets, and the list of its scripts with what starts them. */
    const shellOf = (modules: readonly string[]) => {
      const files = filesOf(manifest, APP, modules);
      const sheets = files.filter((address) => address.endsWith('.css'));
      const scripts = [app, ...files.filter((address) => address.endsWith('.js') && address !== app)];
      const links = sheets.map((address) => `<link rel="stylesheet" crossorigin href="${address}">`);
      return bare
        .replace(/\n *<link rel="modulepreload"[^>]*>/g, '')
        .replace(
          START,
          () =>
            `${links.join('\n    ')}\n    ${listOf(scripts)}\n    ${inline(RULES, 'type="speculationrules"')}`,
        )
        .replace('</body>', () => `  ${inline(start, 'type="module" async')}\n  </body>`);
    };
    for (const { file, path, title, html, modules } of await renderPublicPages()) {
      const page = shellOf(modules)
        .replace(NOSCRIPT, '')
        .replace(/<title>.*<\/title>/, () => `<title>${title}</title>\n    ${PAINTED_WHOLE}`)
        .replace(
          ROOT,
          () => `<div id="root" data-rendered="${path}">${html}</div><!--root--><i id="whole" hidden></i>`,
        );
      await checkStyled(html, join(dist, 'assets'));
      await writeFile(join(dist, file), page);
    }
    for (const { file, modules, html, opensCards = false, isStill = false } of renderFrames()) {
      const page = (isStill ? withoutScripts(shellOf(modules)) : shellOf(modules))
        .replace('</head>', opensCards ? `  ${CARD_SCRIPT}\n  </head>` : '</head>')
        .replace(ROOT, () => `<div id="root">${html}</div>`);
      await checkStyled(html, join(dist, 'assets'));
      await writeFile(join(dist, file), page);
    }
  });
}

/** Browsers paint while they parse: half a page, and what is largest in it a frame later. */
const PAINTED_WHOLE = '<link rel="expect" href="#whole" blocking="render">';

/** What the document's screen needs, for the script that starts it. */
function listOf(scripts: readonly string[]): string {
  return `<script type="application/json" id="aparta-scripts">${JSON.stringify(scripts)}</script>`;
}

/** Of a document that only says something: not even what starts the app. */
function withoutScripts(page: string): string {
  return page.replace(/ *<script[^>]*>[^]*?<\/script>\n?/g, '').replace(NOSCRIPT, '');
}

/**
 * In the document itself, or it would be fetched beside the style sheet; the server's policy admits it by its hash. What starts the app
 * stands last, where all that it needs has been read, and waits for no style sheet.
 */
function inline(script: string, attributes: string): string {
  return `<script ${attributes}>${script.trim()}</script>`;
}

/**
 * Hydration does not fix class names: HTML with classes the client's CSS does not have would stay unstyled.
 */
export async function checkStyled(html: string, assets: string): Promise<void> {
  const sheets = (await readdir(assets)).filter((file) => file.endsWith('.css'));
  const css = (await Promise.all(sheets.map((file) => readFile(join(assets, file), 'utf8')))).join('');
  const names = [...html.matchAll(/class="(_[^"\s]+)/g)].map(([, name]) => name as string);
  const unknown = names.find((name) => !css.includes(`.${name}`));
  if (names.length === 0 || unknown !== undefined)
    throw new Error(`no style sheet knows the class ${unknown}`);
}
