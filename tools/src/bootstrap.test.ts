import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plantTree } from './checks/planted-tree.ts';
import { root as repository } from './steps.ts';

/** A project in small: our bootstrap, a lock file, and an `npm` that only notes how it was called. */
const RUNS = { '': {}, 'node_modules/pg': { version: '8.0.0' } };
const { platform, arch, versions } = process;
const NODE = `node_modules/${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
const LOCK = JSON.stringify({
  packages: { ...RUNS, 'node_modules/vitest': { version: '5.0.0', dev: true } },
});
let root: string;
let remove: () => void;

beforeEach(() => {
  ({ root, remove } = plantTree({
    'tools/bootstrap.mjs': fs.readFileSync(path.join(repository, 'tools', 'bootstrap.mjs'), 'utf8'),
    'tools/src/verify.ts': `
      console.log('ran', process.version, process.argv.slice(2).join(' '));
      process.exitCode = 3;`,
    'tools/src/build.ts': '',
    'tools/src/start.ts': `
      process.on('SIGTERM', () => { console.log('asked to end'); process.exit(7); });
      process.on('disconnect', () => { console.log('alone'); process.exit(8); });
      setInterval(() => {}, 1000);
      console.log('started');`,
    'package-lock.json': LOCK,
    'without-development.json': JSON.stringify({ packages: RUNS }),
    '.nvmrc': `${versions.node}\n`,
    'path/npm': `#!/bin/sh
      echo "$@" >> npm-calls
      cp npm-shrinkwrap.json npm-read
      mkdir -p ${NODE} node_modules/.bin
      case "$*" in
        *--omit=dev*) cp without-development.json node_modules/.package-lock.json ;;
        *) cp package-lock.json node_modules/.package-lock.json ;;
      esac\n`,
  }));
  fs.chmodSync(path.join(root, 'path', 'npm'), 0o755);
});
afterEach(() => remove());

const env = () => ({
  ...process.env,
  PATH: `${path.join(root, 'path')}:${process.env['PATH']}`,
  npm_lifecycle_event: '',
});
const bootstrap = () => path.join(root, 'tools', 'bootstrap.mjs');

function run(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: env() });
  return { status, said: stdout + stderr };
}

function writeProgram(name: string, script: string): void {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Installs, and has npm's Node be another than the one that runs. */
function bringNode(script: string): void {
  run(bootstrap(), 'verify');
  fs.writeFileSync(path.join(root, '.nvmrc'), '1.2.3');
  fs.writeFileSync(path.join(root, NODE, 'package.json'), '{"version":"1.2.3"}');
  writeProgram(`${NODE}/bin/node`, script);
}

/** Where npm puts the Node that it brought, by which it then runs scripts. */
const link = () => path.join(root, 'node_modules', '.bin', 'node');

function npmCalls(): string[] {
  const file = path.join(root, 'npm-calls');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
}

describe.skipIf(process.platform === 'win32')('bootstrap', () => {
  test('installs once, and again only when the lock file asks for something else', () => {
    run(bootstrap(), 'verify');
    run(bootstrap(), 'verify');
    expect(npmCalls()).toHaveLength(1);
    fs.writeFileSync(path.join(root, 'package-lock.json'), LOCK.replace('8.0.0', '8.0.1'));
    run(bootstrap(), 'verify');
    expect(npmCalls()).toHaveLength(2);
  });

  test('installs for a running product what runs alone, and adds the rest to it when it is asked for', () => {
    run(bootstrap(), 'build');
    run(bootstrap(), 'build');
    expect(npmCalls()).toEqual([expect.stringMatching(/^ci --omit=dev /)]);
    run(bootstrap(), 'verify');
    run(bootstrap(), 'build');
    expect(npmCalls().slice(1)).toEqual([expect.stringMatching(/^install --no-save --include=dev /)]);
  });

  test('tells npm where each package is, which the lock does not, and leaves nothing of it', () => {
    const packages = {
      'node_modules/pg': { version: '8.0.0' },
      'admin/node_modules/@types/pg': { version: '8.0.1' },
      'node_modules/short': { version: '1.0.0', name: '@long/name' },
      'node_modules/@aparta/web': { resolved: 'web', link: true },
      web: { version: '0.1.0' },
    };
    fs.writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
    run(bootstrap(), 'verify');
    const read = JSON.parse(fs.readFileSync(path.join(root, 'npm-read'), 'utf8')) as {
      packages: Record<string, { resolved?: string }>;
    };
    expect(
      Object.values(read.packages).map(({ resolved = '' }) => resolved.replace('https://registry', '')),
    ).toEqual(['/pg/-/pg-8.0.0.tgz', '/@types/pg/-/pg-8.0.1.tgz', '/@long/name/-/name-1.0.0.tgz', 'web', '']);
    expect(npmCalls()[0]).toContain(' --replace-registry-host=always --ignore-scripts ');
    const left = path.join(root, 'npm-shrinkwrap.json');
    expect(fs.existsSync(left)).toBe(false);
    fs.writeFileSync(left, 'of an installing that was killed');
    run(bootstrap(), 'verify');
    expect(fs.existsSync(left)).toBe(false);
  });

  test('leaves nothing of it when Ctrl-C ends the installing', async () => {
    // Node as npm is: a shell that is just beginning its `sleep` can end and leave that behind.
    fs.writeFileSync(
      path.join(root, 'path', 'npm'),
      `#!${process.execPath}\nconsole.log('installs');\nsetTimeout(() => {}, 30_000);\n`,
    );
    const child = spawn(process.execPath, [bootstrap(), 'verify'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: env(),
      detached: true, // a terminal's Ctrl-C goes to all of a group
    });
    await gather(child.stdout).until('installs');
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(fs.existsSync(path.join(root, 'npm-shrinkwrap.json'))).toBe(false);
  });

  test('hands on arguments and exit code', () => {
    const { status, said } = run(bootstrap(), 'verify', '--one', 'two');
    expect(said).toContain(`ran ${process.version} --one two`);
    expect(status).toBe(3);
  });

  test('hands on a request to end', async () => {
    const child = spawn(process.execPath, [bootstrap(), 'start'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: env(),
    });
    const said = gather(child.stdout);
    await said.until('started');
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(7);
    await said.until('asked to end');
  });

  test('does not leave its command behind when it is killed outright', async () => {
    const child = spawn(process.execPath, [bootstrap(), 'start'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: env(),
    });
    const said = gather(child.stdout);
    await said.until('started');
    child.kill('SIGKILL');
    await said.until('alone');
    expect(said.text()).toContain('alone');
  });

  test('says in one line that it does not know a command', () => {
    expect(run(bootstrap(), 'fly')).toMatchObject({
      status: 1,
      said: expect.stringMatching(/^aparta: Say which.*\n$/) as string,
    });
  });

  test('says in one line that this Node is too old, before anything is installed', () => {
    const old = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.0'}})";
    const { status, said } = run('--import', old, bootstrap(), 'verify');
    expect({ status, said }).toEqual({
      status: 1,
      said: 'aparta: Node 20.19 or later is needed to begin with; this one is 18.20.0.\n',
    });
    expect(npmCalls()).toEqual([]);
  });

  test('runs by the Node that npm brought, where another one runs npm', () => {
    bringNode('echo "npm’s Node: $1"');
    expect(run(bootstrap(), 'verify').said).toContain(`npm’s Node: ${root}/tools/src/verify.ts`);
  });

  test('leaves that Node where units start it, though not every npm puts it there', () => {
    bringNode('echo "npm’s Node: $1"');
    run(bootstrap(), 'verify');
    expect(spawnSync(link(), ['server'], { encoding: 'utf8' }).stdout).toBe('npm’s Node: server\n');
  });

  describe.runIf(process.platform === 'linux')('where Node lacks its library', () => {
    beforeEach(() => {
      bringNode(`
        case "$LD_LIBRARY_PATH" in ${root}/*) ;; *)
          echo 'error while loading shared libraries: libatomic.so.1' >&2
          exit 127
        esac
        echo "runs"`);
      writeProgram('path/dpkg-deb', 'mkdir --parents usr/lib/here && touch usr/lib/here/libatomic.so.1');
    });

    test('fetches it from Debian’s packages, once, as anybody may, and npm begins with another Node', () => {
      writeProgram('path/apt-get', `echo "$@" >> ${root}/apt-calls; touch libatomic1_14_amd64.deb`);
      for (let turn = 0; turn < 2; turn += 1) {
        fs.symlinkSync('nowhere', link()); // as npm does
        expect(run(bootstrap(), 'verify').said).toMatch(/runs\n$/);
        expect(fs.readdirSync(path.dirname(link()))).toEqual([]);
      }
      expect(fs.readFileSync(path.join(root, 'apt-calls'), 'utf8')).toBe('download libatomic1\n');
    });

    test('asks for Debian’s lists where there are none, as in an image', () => {
      writeProgram(
        'path/apt-get',
        `[ "$1" = update ] && touch ${root}/lists; [ -f ${root}/lists ] && touch libatomic1_14_amd64.deb`,
      );
      expect(run(bootstrap(), 'verify').said).toMatch(/runs\n$/);
    });

    test('says where it is to be had, when it cannot be fetched', () => {
      writeProgram('path/apt-get', 'exit 1');
      const { status, said } = run(bootstrap(), 'verify');
      expect(status).toBe(1);
      expect(said).toContain('aparta: Node 1.2.3 needs libatomic.so.1, which this system lacks.');
      expect(said).toContain('apt-get install libatomic1 (Debian, Ubuntu)');
    });
  });

  test.each([
    ['was not to be had', () => {}, 'npm brought no Node 1.2.3 for '],
    [
      'does not run here',
      () => fs.writeFileSync(path.join(root, NODE, 'package.json'), '{"version":"1.2.3"}'),
      'Node 1.2.3 does not run here ',
    ],
  ])('says in one line that the pinned Node %s', (_, prepare, sentence) => {
    run(bootstrap(), 'verify');
    fs.writeFileSync(path.join(root, '.nvmrc'), '1.2.3');
    prepare();
    const { status, said } = run(bootstrap(), 'verify');
    expect(status).toBe(1);
    expect(said).toContain(`aparta: ${sentence}`);
    expect(said.trim().split('\n')).toHaveLength(1);
  });

  test('installs again what was installed before Node was pinned as a package', () => {
    const withNode = JSON.parse(LOCK) as { packages: object };
    Object.assign(withNode.packages, { [NODE]: { version: '1.2.3', optional: true } });
    fs.writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify(withNode));
    fs.writeFileSync(path.join(root, '.nvmrc'), '1.2.3');
    fs.mkdirSync(path.join(root, 'node_modules'));
    fs.writeFileSync(path.join(root, 'node_modules', '.package-lock.json'), LOCK);
    run(bootstrap(), 'verify');
    expect(npmCalls()).toHaveLength(1);
  });
});

function gather(stream: NodeJS.ReadableStream): { text(): string; until(word: string): Promise<void> } {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    text: () => text,
    until: async (word) => {
      while (!text.includes(word)) await once(stream, 'data', { signal: AbortSignal.timeout(10_000) });
    },
  };
}
