import fs from 'node:fs';

type Unhandled = { message?: string; stack?: string; VITEST_TEST_PATH?: string };

/**
 * A reporter of vitest's: errors outside every test end a run badly, and its JSON does not have them. Writes them to the file
 * of UNHANDLED_ERRORS, a JSON array of texts. (A function, which vitest calls as a constructor.)
 */
export default function unhandledErrors() {
  return {
    onTestRunEnd(_modules: unknown, errors: readonly Unhandled[]): void {
      const texts = errors.map(
        ({ message, stack, VITEST_TEST_PATH: file }) =>
          `outside every test, while ${file ?? 'no file'} ran\n${stack ?? message ?? 'no words'}`,
      );
      fs.writeFileSync(process.env['UNHANDLED_ERRORS'] ?? '', JSON.stringify(texts));
    },
  };
}
