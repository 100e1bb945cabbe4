import fs from 'node:fs';
import path from 'node:path';

type Manifest = {
  name?: string;
  version?: string;
  private?: boolean;
  type?: string;
  exports?: unknown;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, { link?: boolean; optionalDependencies?: Record<string, string> }> };

const BY_MODULE = JSON.stringify({ './*': './src/*.ts' });
/** Components, styles and drawings: their names keep their ends. */
const BY_FILE = JSON.stringify({ './*': './src/*' });
/** What its tests use is used by the tests of other packages too. */
const WITH_TESTS = JSON.stringify({ './test/*': './test/*.ts', './*': './src/*.ts' });
const ENTERED: Readonly<Record<string, string>> = { ui: BY_FILE, browser: BY_FILE, server: WITH_TESTS };

/** Where the package.json files disagree with each other, with the house's form, or with the lock file. */
export function unequalFacts(root: string): string[] {
  const top = readJson<Manifest>(path.join(root, 'package.json'));
  const manifests = (top.workspaces ?? []).map(
    (folder) => [folder, readJson<Manifest>(path.join(root, folder, 'package.json'))] as const,
  );
  return [
    ...manifests.flatMap(([folder, manifest]) => wrongForm(folder, manifest, top)),
    ...differingVersions([['the root', top], ...manifests], top),
    ...otherNode(root, top),
    ...gapsOfLock(readJson<Lock>(path.join(root, 'package-lock.json'))),
  ];
}

function wrongForm(folder: string, manifest: Manifest, top: Manifest): string[] {
  const exports = ENTERED[folder] ?? BY_MODULE;
  const facts: [string, boolean][] = [
    [`"name" is @aparta/${folder}`, manifest.name === `@aparta/${folder}`],
    [`"version" is the root's, ${top.version}`, manifest.version === top.version],
    ['"private" is true', manifest.private === true],
    ['"type" is module', manifest.type === 'module'],
    [`"exports" is ${exports}`, JSON.stringify(manifest.exports) === exports],
  ];
  return facts.filter(([, holds]) => !holds).map(([fact]) => `${folder}/package.json: ${fact}`);
}

/** What nvm and its like install is the Node that everything runs under. */
function otherNode(root: string, { optionalDependencies = {} }: Manifest): string[] {
  const file = path.join(root, '.nvmrc');
  const named = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
  return Object.entries(optionalDependencies)
    .filter(([name, version]) => name.startsWith('node-') && named !== undefined && version !== named)
    .map(([name, version]) => `.nvmrc names Node ${named}, ${name} in package.json is ${version}`);
}

function differingVersions(manifests: (readonly [string, Manifest])[], top: Manifest): string[] {
  const problems: string[] = [];
  const seen = new Map<string, { version: string; where: string }>();
  for (const [where, manifest] of manifests) {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    for (const [name, version] of Object.entries(all)) {
      const first = seen.get(name) ?? { version, where };
      seen.set(name, first);
      if (first.version !== version) {
        problems.push(`${name} is ${first.version} in ${first.where} and ${version} in ${where}`);
      }
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        problems.push(`${name} in ${where} is not one exact version`);
      if (name.startsWith('@aparta/') && version !== top.version)
        problems.push(`${name} in ${where} is not ours`);
    }
  }
  return problems;
}

/**
 * Platform packages that the lock file does not know. npm writes such a file when a registry lacks them, and then
 * refuses to install from it on every machine.
 */
function gapsOfLock({ packages }: Lock): string[] {
  const known = new Set(Object.keys(packages).map((place) => place.split('node_modules/').at(-1)));
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !known.has(name))
      .map((name) => `package-lock.json lacks ${name}, which ${place} wants on some machine`),
  );
}

function readJson<Shape>(file: string): Shape {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Shape;
}
