import type { Readable } from 'node:stream';

/** Standard input and output of a command; tests pass their own. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  out(text: string): void;
  err(text: string): void;
  /** Of standard output, where it is a terminal; a file or a pipe gets whole lines. */
  readonly columns?: number | undefined;
  /** Whether standard error is a terminal. */
  readonly isWatched: boolean;
}

const MOST_INPUT = 10_000;

/**
 * The lines of standard input, without the empty ones at its end: for secrets, which must not be arguments, since those
 * are in the shell's history and in the list of processes. On a terminal it asks for each line and does not echo it.
 */
export async function readSecrets(terminal: Terminal, questions: readonly string[]): Promise<string[]> {
  if (terminal.input.isTTY === true) return typeUnseen(terminal, questions);
  let text = '';
  for await (const chunk of terminal.input) {
    text += String(chunk);
    if (text.length > MOST_INPUT) break;
  }
  return text
    .trimEnd()
    .split(/\r?\n/)
    .slice(0, questions.length)
    .map((line) => line.trim());
}

async function typeUnseen(terminal: Terminal, questions: readonly string[]): Promise<string[]> {
  const { input } = terminal;
  const answers: string[] = [];
  let rest = '';
  input.setRawMode?.(true);
  try {
    for (const question of questions) {
      terminal.err(`${question}: `);
      while (!/[\r\n]/.test(rest)) {
        const chunk = await nextChunk(input);
        if (chunk === undefined || chunk.includes('\u0003')) throw new Interrupted('Interrumpido.');
        rest = erased(rest + chunk);
      }
      const [answer = '', ...others] = rest.split(/[\r\n]+/);
      rest = others.join('\n');
      answers.push(answer.trim());
      terminal.err('\n');
    }
    return answers;
  } finally {
    input.setRawMode?.(false);
    input.pause();
  }
}

/** Ctrl-C while typing a secret. */
class Interrupted extends Error {
  override name = 'Interrupted';
}

function nextChunk(input: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (chunk?: Buffer | string) => {
      input.off('data', settle).off('end', settle);
      input.pause();
      resolve(chunk === undefined ? undefined : String(chunk));
    };
    input.on('data', settle).on('end', settle).resume();
  });
}

/** Applies backspaces. */
function erased(text: string): string {
  let left = text;
  while (/[^\u007f\b][\u007f\b]/.test(left)) left = left.replace(/[^\u007f\b][\u007f\b]/, '');
  return left.replace(/^[\u007f\b]+/, '');
}

/** A progress bar for long work; nothing is drawn where standard error is no terminal. */
export function progress(
  terminal: Terminal,
  says: string,
): { step(done: number, of: number): void; end(): void } {
  if (!terminal.isWatched) return { step() {}, end() {} };
  const width = 30;
  return {
    step(done, of) {
      const filled = Math.round((done / of) * width);
      terminal.err(`\r${says} [${'█'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${of}`);
    },
    end: () => terminal.err('\r\u001b[K'),
  };
}

/** This process's terminal. */
export function processTerminal(): Terminal {
  return {
    input: process.stdin,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
    isWatched: process.stderr.isTTY,
  };
}
