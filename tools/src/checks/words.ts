import { layeredFiles, type Layers } from './file-layers.ts';
import { NOT_OURS, OLD_WORDS, type OldWord } from './old-words.ts';

type Use = { file: string; line: number; found: string; word: string; use: string };

/** Words that this trade does not use, a line each, with the one to use. `root` is the repository; `only` limits the files. */
export function oldWords(root: string, only?: readonly string[]): string[] {
  return usesOfOldWords(root, only).map(
    ({ file, line, found, use }) => `${file}:${line} '${found}': say ${use}`,
  );
}

/** Every use of a word of the list; the name of a file is its line 0. `root` is the repository. */
export function usesOfOldWords(root: string, only?: readonly string[]): Use[] {
  return layeredFiles(root, only).flatMap((layers) =>
    OLD_WORDS.filter(
      ({ files, except }) => (files?.test(layers.file) ?? true) && !(except?.test(layers.file) ?? false),
    ).flatMap((old) => usesIn(layers, old)),
  );
}

function usesIn(layers: Layers, old: OldWord): Use[] {
  const spared = new Set(
    NOT_OURS.filter(({ files }) => files.test(layers.file)).flatMap((notOurs) => notOurs.layers),
  );
  return old.layers
    .filter((layer) => !spared.has(layer))
    .flatMap((layer) => {
      const text = layer === 'path' ? layers.file : layers[layer];
      return [...text.matchAll(old.pattern)].map((match) => ({
        file: layers.file,
        line: layer === 'path' ? 0 : layers.lineAt(match.index),
        found: match[0],
        word: old.word,
        use: old.use,
      }));
    });
}
