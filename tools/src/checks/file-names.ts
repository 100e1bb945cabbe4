import { sourceFiles } from './source-files.ts';

const SAYING_NOTHING = /(^|\/)(utils?|helpers?|common|services?|types|libs?|shared|misc)(\.[a-z.]+)?(\/|$)/;

/** Files and folders whose name says nothing about what is inside. */
export function emptyNames(root: string): string[] {
  return sourceFiles(root)
    .filter((file) => SAYING_NOTHING.test(file))
    .map((file) => `${file}: name it for what it is`);
}
