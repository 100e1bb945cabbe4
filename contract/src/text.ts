import { isSeen, withoutUnseen } from '@aparta/domain/seen';
import * as v from 'valibot';

/** Line breaks and other controls have no place in any one-line field (mail and log injection). */
// oxlint-disable-next-line no-control-regex -- naming the controls is the purpose
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** One line of text of at most `max` characters, trimmed, in Unicode's composed form: empty, or with something to see. */
/* @__NO_SIDE_EFFECTS__ */
export function line(max: number) {
  return oneLine(max, false);
}

/** One line of what a browser sends back of things kept here, which may be older than the rule of what is seen. */
/* @__NO_SIDE_EFFECTS__ */
export function echoedLine(max: number) {
  return oneLine(max, true);
}

/* @__NO_SIDE_EFFECTS__ */
function oneLine(max: number, isEcho: boolean) {
  return v.pipe(
    v.string(),
    v.maxLength(max),
    v.check((text) => !CONTROL_CHARACTERS.test(text), 'control characters'),
    v.check((text) => isEcho || withoutUnseen(text) === text, 'unseen characters'),
    // Half of a surrogate pair is no character: neither UTF-8 nor the database's JSON can hold it.
    v.check((text) => !/\p{Cs}/u.test(text), 'half a character'),
    v.transform((text) => text.normalize('NFC').trim()),
    v.check((text) => isEcho || text === '' || isSeen(text), 'nothing to see'),
    // Some characters are longer in the composed form.
    v.maxLength(max),
  );
}

/** A secret as it was typed: bounded, never trimmed. */
export const secret = v.pipe(v.string(), v.maxLength(256));

/** A number in a path: our ids are positive and stay below 2^53. */
export const idParam = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,14}$/),
  v.transform((digits) => Number(digits)),
);

/** Where a list of takings goes on: behind a payment, or, with the `w`, behind its being taken back. */
export const takingCursor = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}w?$/));

/** An id inside a JSON body. */
export const idField = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER));

/** A UUID, the form of the ids that browsers and the card provider make. */
export const uuid = v.pipe(v.string(), v.maxLength(36), v.uuid(), v.toLowerCase());

/** A moment, ISO-8601 with its offset. */
export const moment = v.pipe(v.string(), v.maxLength(40), v.isoTimestamp());

/** A calendar day, `YYYY-MM-DD`. */
export const day = v.pipe(v.string(), v.maxLength(10), v.isoDate());

/** One that somebody asks about: it is in the calendar. */
export const askedDay = v.pipe(
  day,
  v.check((on) => on >= '2000' && on < '2200' && new Date(`${on}T00:00:00Z`).toJSON()?.slice(0, 10) === on),
);

/** A month, `YYYY-MM`, that somebody asks about. */
export const askedMonth = v.pipe(v.string(), v.regex(/^2[01]\d{2}-(0[1-9]|1[0-2])$/));

/**
 * A field the spec's client sends and the server sets by itself (rules/wire#fields-that-nobody-explains); accepted and not
 * read.
 */
export const ignored = v.optional(v.unknown());
