import type { FileProblem } from '@aparta/server/platform/file-rows';
import { RefusedChange } from '@aparta/server/platform/refused-change';

/** A list of theirs that cannot be read, with every place that is wrong. */
export class UnreadableTable extends RefusedChange {
  readonly problems: readonly FileProblem[];

  constructor(path: string, problems: readonly FileProblem[]) {
    super('table_unreadable', { path });
    this.problems = problems;
  }
}
