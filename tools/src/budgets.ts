import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** In bytes, brotli at its best, JS and CSS. */
interface Limits {
  readonly first: number;
  readonly screen: number;
  /** Routes that show more than their screen's own file, with all that they wait for. */
  readonly routes: Readonly<Record<string, { readonly shows: readonly string[]; readonly limit: number }>>;
}

export const LIMITS: Readonly<Record<'web' | 'counter', Limits>> = {
  web: {
    first: 80_000,
    screen: 35_000,
    routes: {
      'the list of purchases': { shows: ['purchases-page', 'purchase-list'], limit: 35_000 },
      'a layaway, step 1': { shows: ['layaway-page', 'reference-step'], limit: 35_000 },
      'a layaway, step 2': { shows: ['layaway-page', 'information-step'], limit: 35_000 },
      'a layaway, step 3': { shows: ['layaway-page', 'payment-step'], limit: 35_000 },
      'a purchase': { shows: ['purchases-page', 'purchase-detail'], limit: 34_800 },
      'the profile': { shows: ['profile-page', 'general-tab'], limit: 30_600 },
      'the profile, tax data': { shows: ['profile-page', 'fiscal-data'], limit: 29_700 },
    },
  },
  counter: { first: 100_000, screen: 45_000, routes: {} },
};
/** What a help link's document costs, which shares no file with the others; without the card provider's script. */
const HELPING = { manifest: 'ayudar.json', limit: 110_000 };

/** The screen that is measured as the first load: what most links lead to when nobody is signed in. */
const FIRST_SCREEN = /sign-in-page\.tsx$/;
/** What every screen but these public ones loads with it: the signed-in frame. */
const FRAME = /signed-in\.tsx$/;
const PUBLIC = /(register|forgot-password|change-password|confirm-email|legal)-page\.tsx$/;
/** Every screen is a file of this name, but the design system's own; camera decoder and the like are loaded on demand and not screens. */
const SCREEN = /(?<!design)-page\.tsx$/;

type Chunk = {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
};
/** `files` are what it loads, below the built application's folder. */
export type Measured = { screen: string; bytes: number; limit: number; files: readonly string[] };

/**
 * The bytes that each screen of a built application costs: the first one with everything it needs, the others with what
 * they add to it. `dist` is Vite's output with its manifest. Throws when there is nothing to measure.
 */
export function measureScreens(dist: string, limits: Limits = LIMITS.web): Measured[] {
  const manifest = readManifest(dist, 'manifest.json');
  const chunks = Object.entries(manifest);
  const closure = (keys: string[]) => closureOf(manifest, keys);
  const weigh = (files: Iterable<string>) =>
    [...files].reduce(
      (sum, file) => sum + brotliCompressSync(fs.readFileSync(path.join(dist, file))).length,
      0,
    );

  const entries = chunks.filter(([, chunk]) => chunk.isEntry).map(([key]) => key);
  const screens = chunks
    .filter(([key, chunk]) => chunk.isDynamicEntry && SCREEN.test(key))
    .map(([key]) => key);
  if (entries.length === 0 || screens.length === 0)
    throw new Error('the build names no entry or no screen: nothing to weigh');
  const first = closure([...entries, ...screens.filter((key) => FIRST_SCREEN.test(key))]);
  const frame = chunks.map(([key]) => key).filter((key) => FRAME.test(key));
  const adds = (screen: string, keys: string[], limit: number) => {
    const added = [...closure(keys)].filter((file) => !first.has(file));
    return { screen, bytes: weigh(added), limit, files: added };
  };
  const named = (name: string) => {
    const key = chunks.find(([one]) => one.endsWith(`/${name}.tsx`))?.[0];
    if (key === undefined) throw new Error(`the build has no ${name}: which file does its route show now?`);
    return key;
  };
  return [
    { screen: 'first load', bytes: weigh(first), limit: limits.first, files: [...first] },
    ...screens
      .filter((key) => !FIRST_SCREEN.test(key))
      .map((key) => adds(key, PUBLIC.test(key) ? [key] : [key, ...frame], limits.screen)),
    ...Object.entries(limits.routes).map(([route, { shows, limit }]) =>
      adds(route, [...shows.map(named), ...frame], limit),
    ),
    ...measureHelping(dist, weigh),
  ];
}

function measureHelping(dist: string, weigh: (files: Iterable<string>) => number): Measured[] {
  if (!fs.existsSync(path.join(dist, '.vite', HELPING.manifest))) return [];
  const manifest = readManifest(dist, HELPING.manifest);
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const files = [...closureOf(manifest, entries)];
  return [{ screen: 'help link', bytes: weigh(files), limit: HELPING.limit, files }];
}

type Manifest = Readonly<Record<string, Chunk>>;

function readManifest(dist: string, name: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(dist, '.vite', name), 'utf8')) as Manifest;
}

/** What these load at once, with all that they import. */
function closureOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || visited.has(key)) return;
    visited.add(key);
    if (/\.(js|css)$/.test(chunk.file)) files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    chunk.imports?.forEach(visit);
  };
  keys.forEach(visit);
  return files;
}

/** The screens that cost more than they may. */
export function overBudget(measured: Measured[]): string[] {
  return measured
    .filter(({ bytes, limit }) => bytes > limit)
    .map(({ screen, bytes, limit }) => `${screen}: ${kB(bytes)}, at most ${kB(limit)}`);
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
