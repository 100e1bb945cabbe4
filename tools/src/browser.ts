import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
/** The same engine without a browser's own windows, menus and permissions: it costs two thirds of the processor. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const silent = () => {};

/**
 * The browser of the machine: `CHROME_PATH`, playwright's own, then those that are installed. On Debian, for
 * root, it is installed when there is none. Undefined when there is still none: the caller must then fail.
 */
export async function findChromium(log: (line: string) => void = silent): Promise<string | undefined> {
  const find = () => firstFile([chromium.executablePath(), ...onPath(NAMES), ...PLACES]);
  const chosen = process.env['CHROME_PATH'];
  if (chosen) return firstFile([chosen]); // a wrong choice is not made good in silence
  return find() ?? install('chromium', log, find);
}

/** For what needs no whole browser: Chromium's headless shell, installed likewise; else, and with `CHROME_PATH`, the browser. */
export async function findHeadlessShell(log: (line: string) => void = silent): Promise<string | undefined> {
  const find = () => firstFile(onPath(SHELLS));
  const shell = process.env['CHROME_PATH']
    ? undefined
    : (find() ?? (await install('chromium-headless-shell', log, find)));
  return shell ?? findChromium(log);
}

/** The settings by which journeys find both, installed by now; undefined where there is no browser. */
export async function prepareBrowsers(
  log: (line: string) => void,
): Promise<{ CHROME_PATH?: string } | undefined> {
  // One after the other: the installer locks.
  const whole = await findChromium(log);
  const shell = await findHeadlessShell(log);
  if (whole === undefined) return undefined;
  return shell === whole ? { CHROME_PATH: whole } : {};
}

function onPath(names: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

function firstFile(files: readonly string[]): string | undefined {
  return files.find((file) => fs.existsSync(file) && fs.statSync(file).isFile());
}

/** On Debian, for root. What is not to be had there is asked for once in a process. */
async function install(
  name: string,
  log: (line: string) => void,
  find: () => string | undefined,
): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || firstFile(['/etc/debian_version']) === undefined || refused.has(name))
    return undefined;
  log(`Installing ${name}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const installer = spawn('apt-get', args, { env: environment, stdio: 'ignore' });
    const ended = await once(installer, 'exit').catch(() => []);
    if (ended[0] !== 0) return void refused.add(name);
  }
  return find();
}
const refused = new Set<string>();
