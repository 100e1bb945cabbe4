import { expect, test } from 'vitest';
import { EVENTS, STATES, TABLE, transition, type EventName, type StateName } from './card-states.ts';

/**
 * The whole table once more, as text: `event > state + effects`. `=` is the state itself. What a state does not name
 * must change nothing.
 */
const OVER = ['paidElsewhere', 'expired', 'cancelled', 'notYet'];
const ENDED = ['returned', 'rejected', 'notCharged', 'abandoned'];

const serverSays = `
  form > opening
  toForm > redirecting + openForm
  noCards > noCards + leaveWithoutCards
  pending > pending
  authenticate > authenticate
  challenge > challenge
  blocked > windowBlocked
  held > held
  paid > paid + forget
  ${[...ENDED, ...OVER].map((view) => `${view} > ${view} + forget`).join('\n')}
  reset > loading`;
/** The same for those that waited for an attempt: how it ended is followed by a read, except for a receipt. */
const afterWaiting = ENDED.map((view) => `${view} > ${view} + forget + refresh`).join('\n');
/** Until what was sent is shown, no other payment is offered. */
const noOther = ['form', 'toForm', 'noCards'].map((event) => `${event} > nothing`).join('\n');
const frameComesAndGoes = `
  frameReady > =
  frameGone > =`;
const noCardKey = 'noKey > leaving + leaveWithoutCards';
const openBank = 'goTo3ds > = + open3ds';
const retried = 'retry > = + dismiss';

/** Later lines win. */
const expected: Record<StateName, readonly string[]> = {
  loading: [serverSays, 'resumed > unconfirmed', 'unreadable > unreadable', 'missing > missing'],
  unreadable: [
    serverSays,
    'resumed > unconfirmed',
    'unreadable > =',
    'missing > missing',
    'retry > = + refresh',
  ],
  missing: [serverSays],

  opening: [serverSays, noCardKey, 'frameReady > form'],
  form: [
    serverSays,
    noCardKey,
    'form > =',
    'frameReady > =',
    'frameGone > opening',
    'submit > tokenizing + askForToken',
  ],
  tokenizing: [
    serverSays,
    noCardKey,
    'form > nothing',
    'frameGone > opening + refresh',
    'token > sending + begin',
    'fieldsWrong > form + refresh',
    'noToken > form + sayNoToken + refresh',
  ],
  sending: [
    serverSays,
    afterWaiting,
    noOther,
    frameComesAndGoes,
    'begun > = + post',
    'goTo3ds > leaving + open3ds',
    'lost > unconfirmed',
    'refused > form + forget',
    'overtaken > overtaken + forget + refresh',
    'cardsRefused > leaving + leaveWithoutCards',
  ],
  overtaken: [serverSays, frameComesAndGoes, 'form > form'],
  leaving: [serverSays, frameComesAndGoes, 'form > =', 'noCards > ='],

  unconfirmed: [
    serverSays,
    afterWaiting,
    noOther,
    'resend > resending + post',
    'neverArrived > rereading + forget + refresh',
  ],
  resending: [
    serverSays,
    afterWaiting,
    noOther,
    openBank,
    'lost > unconfirmed',
    'refused > rereading + forget + refresh',
    'overtaken > rereading + forget + refresh',
    'cardsRefused > noCards + leaveWithoutCards',
  ],
  rereading: [serverSays],

  pending: [serverSays, afterWaiting, openBank],
  authenticate: [serverSays, afterWaiting, openBank],
  challenge: [serverSays, afterWaiting, 'bankAnswered > applying + verify', 'closeWindow > windowClosed'],
  applying: [
    serverSays,
    afterWaiting,
    'pending > =',
    'challenge > =',
    'unanswered > = + refresh',
    'tookLong > windowClosed + refresh',
  ],
  windowClosed: [
    serverSays,
    afterWaiting,
    'challenge > =',
    'openWindow > challenge',
    'unanswered > = + refresh',
  ],
  windowBlocked: [serverSays, afterWaiting, 'challenge > windowClosed'],
  held: [serverSays, afterWaiting],

  paid: ['form > opening', 'toForm > redirecting + openForm', 'paid > =', 'reset > loading'],
  returned: [serverSays, retried],
  rejected: [serverSays, retried],
  notCharged: [serverSays, retried],
  abandoned: [serverSays, retried, 'resume > resuming + resume'],
  resuming: [
    serverSays,
    afterWaiting,
    openBank,
    'abandoned > =',
    'bankGaveUp > lapsed + refresh',
    'unanswered > abandoned',
  ],
  lapsed: [serverSays, retried, 'abandoned > ='],

  noCards: [serverSays, 'noCards > ='],
  redirecting: ['reset > loading'],
  paidElsewhere: [serverSays],
  expired: [serverSays],
  cancelled: [serverSays],
  notYet: [serverSays],
};

function expectedOf(state: StateName): Map<string, string> {
  const lines = expected[state].join('\n').split('\n');
  const found = new Map<string, string>();
  for (const line of lines.map((each) => each.trim()).filter((each) => each !== '')) {
    const [event = '', result = ''] = line.split(' > ');
    found.set(event, result.replace(/^=/, state));
  }
  return found;
}

const shown = (state: StateName, event: EventName) => {
  const next = transition(state, event);
  return next ? [next.to, ...next.effects].join(' + ') : 'nothing';
};

test.each(STATES)('%s: every event leads where the table says, or nowhere', (state) => {
  const wanted = expectedOf(state);
  expect([...wanted.keys()].filter((event) => !EVENTS.includes(event as EventName))).toEqual([]);
  for (const event of EVENTS)
    expect(shown(state, event), `${state} × ${event}`).toBe(wanted.get(event) ?? 'nothing');
});

test('every state and every event of the lists is used, and no other', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual([...STATES].toSorted());
  const reached = STATES.flatMap((state) => EVENTS.map((event) => transition(state, event)?.to));
  expect(STATES.filter((state) => !reached.includes(state))).toEqual([]);
  // What is read while something newer was sent changes nothing anywhere.
  expect(EVENTS.filter((event) => STATES.every((state) => !transition(state, event)))).toEqual(['stale']);
});

test('a payment is sent from two states only, and both wait for its answer', () => {
  const sends = STATES.flatMap((state) =>
    EVENTS.filter((event) => transition(state, event)?.effects.includes('post')).map(
      (event) => `${state} × ${event}`,
    ),
  );
  expect(sends).toEqual(['sending × begun', 'unconfirmed × resend']);
});

test('the form is never offered while an attempt of this tab is unconfirmed', () => {
  const offers: readonly StateName[] = ['opening', 'form'];
  const offered = (['sending', 'unconfirmed', 'resending'] as const).flatMap((state) =>
    EVENTS.filter((event) => offers.includes(transition(state, event)?.to ?? state)).map(
      (event) => `${state} × ${event}`,
    ),
  );
  // Refused: certainly nothing was charged.
  expect(offered).toEqual(['sending × refused']);
});
