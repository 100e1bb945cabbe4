import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { actOf, alertAct } from './payments-copy.ts';

/** What a shell makes of a line's words. */
const shellWords = (line: string) =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    .split('\n')
    .slice(0, -1);

test.each(['x;echo gone;#', "x'; echo gone; '", '$(echo gone)', 'x && echo gone', '`echo gone`'])(
  'the next command of an alert is typed as it stands, and runs nothing else: %s',
  (subject) => {
    const checks = alertAct('cash_notice_unknown', subject).next.split('; luego alert')[0]!;
    expect(shellWords(checks)).toEqual(['cash', 'check', subject]);
    const waiting = actOf({ kind: 'refund_in_cash', id: subject, detail: '' }).next.split(' --by')[0]!;
    expect(shellWords(waiting)).toEqual(['refund', 'paid', subject]);
    const closes = alertAct('cash_notice_elsewhere', subject).next;
    expect(shellWords(closes).slice(0, 3)).toEqual(['alert', 'resolve', `cash_notice_elsewhere:${subject}`]);
  },
);
