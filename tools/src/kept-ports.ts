import fs from 'node:fs';
import path from 'node:path';
import { StartFailure } from './start-failure.ts';

/** Where a copy of the product listens. */
export interface Ports {
  readonly port: number;
  readonly sandboxPort: number;
}

const fileOf = (dataDir: string) => path.join(dataDir, 'ports.json');

/** Saves where the product of a folder listens, for the commands beside it. */
export function savePorts(dataDir: string, { port, sandboxPort }: Ports): void {
  fs.writeFileSync(fileOf(dataDir), JSON.stringify({ port, sandboxPort }));
}

/** Where the product of a folder listens, or did last; empty where none began. */
export function keptPorts(dataDir: string): Partial<Ports> {
  const file = fileOf(dataDir);
  if (!fs.existsSync(file)) return {};
  const kept = read(file);
  if (kept !== undefined) return kept;
  throw new StartFailure(`${file} names no ports any more: \`npm start\` writes it anew.`);
}

/** Undefined where the machine stopped while it was written. */
function read(file: string): Ports | undefined {
  try {
    const kept = JSON.parse(fs.readFileSync(file, 'utf8')) as Ports;
    return Number.isInteger(kept.port) && Number.isInteger(kept.sandboxPort) ? kept : undefined;
  } catch {
    return undefined;
  }
}
