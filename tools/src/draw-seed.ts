import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { root } from './steps.ts';

/**
 * What a check that draws a sample of the tests' proofs starts from: the commit. Another commit draws others; the same one draws
 * the same, so that a change found green is not red where it lands. Without git, chance.
 */
export function drawSeed(): number {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const seed = Number.parseInt(stdout, 16);
  return Number.isSafeInteger(seed) ? seed % 2 ** 31 : randomInt(2 ** 31);
}
