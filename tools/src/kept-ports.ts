import fs from 'node:fs';
import path from 'node:path';

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
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Ports) : {};
}
