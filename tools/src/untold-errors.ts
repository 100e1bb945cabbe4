import fs from 'node:fs';
import type { SerializedError } from 'vitest';
import type { TestModule } from 'vitest/node';

type Unhandled = { message?: string; stack?: string; VITEST_TEST_PATH?: string };

/**
 * A reporter of vitest's: what its JSON does not have. Errors outside every test end a run badly; a property that fails says why in
 * the cause of its error alone. Writes them to the file of UNTOLD_ERRORS, a JSON array of texts. (A function, which vitest calls as
 * a constructor.)
 */
export default function untoldErrors() {
  return {
    onTestRunEnd(modules: readonly TestModule[], errors: readonly Unhandled[]): void {
      const outside = errors.map(
        ({ message, stack, VITEST_TEST_PATH: file }) =>
          `outside every test, while ${file ?? 'no file'} ran\n${stack ?? message ?? 'no words'}`,
      );
      const causes = modules.flatMap(({ relativeModuleId: file, children }) =>
        [...children.allTests('failed')].flatMap((test) =>
          (test.result().errors ?? []).flatMap(({ cause }) => causeOf(cause, `${file}: ${test.fullName}`)),
        ),
      );
      fs.writeFileSync(process.env['UNTOLD_ERRORS'] ?? '', JSON.stringify([...outside, ...causes]));
    },
  };
}

function causeOf(cause: SerializedError['cause'], of: string): string[] {
  return cause === undefined ? [] : [`the cause in ${of}\n${cause.stack ?? cause.message}`];
}
