import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterBuild } from '@aparta/browser/build/after-build.ts';
import sharp from 'sharp';
import type { Plugin } from 'vite';

/** The README's pictures that a browser shows before it installs the app. */
const SCREENSHOTS = ['yours', 'store'];

/**
 * Draws the icons that `manifest.webmanifest` names from `icon.svg`, and brings its screenshots, after the client build. A phone cuts
 * the maskable icon to its own shape: only the middle four fifths are sure to be seen.
 */
export function installable({ pictures }: { pictures: string }): Plugin {
  return afterBuild('installable', async (dist, { root }) => {
    const icon = await readFile(join(root, 'public/icon.svg'));
    const draw = (size: number) => sharp(icon, { density: size * 3 }).resize(size, size);
    const ground = { width: 512, height: 512, channels: 4, background: '#161a33' } as const;
    const files = {
      'icon-192.png': draw(192),
      'icon-512.png': draw(512),
      'icon-maskable.png': sharp({ create: ground }).composite([{ input: await draw(410).toBuffer() }]),
    };
    for (const [name, image] of Object.entries(files))
      await writeFile(join(dist, name), await image.png({ palette: true, effort: 10 }).toBuffer());
    for (const name of SCREENSHOTS)
      await copyFile(join(pictures, `${name}.png`), join(dist, `screenshot-${name}.png`));
  });
}
