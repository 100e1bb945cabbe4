import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

/** How Chromium is started in tests: nothing of its own goes over the network. */
export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The browser of the machine: `CHROME_PATH`, playwright's own, then those that are installed. On Debian, for
 * root, it is installed when there is none. Undefined when there is still none: the caller must then fail.
 */
export function findChromium(log: (line: string) => void = () => {}): string | undefined {
  return findInstalled() ?? (mayInstall() ? install(log) : undefined);
}

function findInstalled(): string | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen) return isFile(chosen) ? chosen : undefined; // a wrong choice is not made good in silence
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [chromium.executablePath(), ...onPath, ...PLACES].find(isFile);
}

function isFile(file: string): boolean {
  return fs.existsSync(file) && fs.statSync(file).isFile();
}

function mayInstall(): boolean {
  return !process.env['CHROME_PATH'] && process.getuid?.() === 0 && isFile('/etc/debian_version');
}

function install(log: (line: string) => void): string | undefined {
  log('Installing Chromium');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', args, { env: environment, stdio: 'ignore' });
    if (status !== 0) return undefined;
  }
  return findInstalled();
}
