import fs from 'node:fs';
import type { TestProject } from 'vitest/node';
import { makeDemoData } from './shop.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the demo's data. */
    demoData: string;
  }
}

/** Vitest's global setup of the journeys: the demo is made once, and copied by each process that runs a product. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const folder = await makeDemoData();
  project.provide('demoData', folder);
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
