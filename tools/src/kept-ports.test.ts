import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { savePorts } from './kept-ports.ts';
import { settingsBesideProduct, settingsFromEnvironment } from './settings.ts';

afterEach(() => vi.unstubAllEnvs());

/** For one product, with no setting of where it listens. */
function newFolder(): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-ports-'));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('PORT', '');
  vi.stubEnv('SANDBOX_PORT', '');
  return dataDir;
}

test('a command follows the product of its folder to its ports, unless a setting says otherwise, and a new product does not', () => {
  const dataDir = newFolder();
  expect(settingsBesideProduct()).toMatchObject({ port: 3000, sandboxPort: 4000 });
  savePorts(dataDir, { port: 3240, sandboxPort: 4240 });
  expect(settingsBesideProduct()).toMatchObject({ port: 3240, sandboxPort: 4240 });
  expect(settingsFromEnvironment()).toMatchObject({ port: 3000, sandboxPort: 4000 });
  vi.stubEnv('SANDBOX_PORT', '5000');
  expect(settingsBesideProduct()).toMatchObject({ port: 3240, sandboxPort: 5000 });
});

test.each(['', '{"port":3240', '{"port":"3240"}', 'null'])(
  'an operator reads how to mend a file of ports that holds %j',
  (text) => {
    const dataDir = newFolder();
    fs.writeFileSync(path.join(dataDir, 'ports.json'), text);
    expect(() => settingsBesideProduct()).toThrow(
      `${dataDir}/ports.json names no ports any more: \`npm start\` writes it anew.`,
    );
    savePorts(dataDir, { port: 3240, sandboxPort: 4240 });
    expect(settingsBesideProduct()).toMatchObject({ port: 3240, sandboxPort: 4240 });
  },
);
