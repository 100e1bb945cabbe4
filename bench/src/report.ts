/** What an aim is worth: it is said beside the figure, and nothing fails because a machine was busy. */
export function verdict(aim: string, met: boolean): string {
  return `${aim} ${met ? 'met' : 'MISSED'}`;
}

/** Prints a table whose first row holds the headings; figures stand to the right, the first column to the left. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd(),
  );
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)));
  console.log(`\n${title}\n${lines[0] ?? ''}\n${rule}\n${lines.slice(1).join('\n')}`);
}

/** A line under a table: what its figures rest on. */
export function printNote(line: string): void {
  console.log(`  ${line}`);
}

/** 1 kB = 1000 bytes, as the budgets count. */
export function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
