import { parseDecimal } from '@aparta/domain/money';
import * as v from 'valibot';
import { isAddressOrNetwork } from './addresses.ts';

/** What `parse` makes of the text; refused where it returns undefined or throws. */
export function parsed<T>(parse: (given: string) => T | undefined, message: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      try {
        const value = parse(dataset.value);
        if (value !== undefined) return value;
      } catch {
        // Refused below: what was thrown may repeat a secret.
      }
      addIssue({ message });
      return NEVER;
    }),
  );
}

export function words() {
  return v.pipe(
    v.string(),
    v.transform((given) => given.split(/[\s,]+/).filter(Boolean)),
  );
}

/** Addresses and networks; where `mayBeAll` is false, none that has everybody. */
export function networks({ mayBeAll }: { mayBeAll: boolean }) {
  return v.pipe(
    words(),
    v.everyItem(
      (word) => isAddressOrNetwork(word) && (mayBeAll || !/\/0+$/.test(word)),
      'must be addresses or networks like 198.51.100.0/24, separated by spaces',
    ),
  );
}

export function yesOrNo() {
  return v.pipe(
    oneOf('true', 'false'),
    v.transform((given) => given === 'true'),
  );
}

export function oneOf(...choices: string[]) {
  const message = `must be ${choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`}`;
  return v.pipe(v.string(), v.values(choices, message));
}

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(
    v.string(),
    v.digits(message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

export function share() {
  const message = 'must be a number from 0 to 1';
  return v.pipe(v.string(), v.regex(/^\d(\.\d+)?$/, message), v.transform(Number), v.maxValue(1, message));
}

export function pesosAmount() {
  return parsed(parseDecimal, 'must be pesos, like 200000.00');
}

export function headerValue() {
  return v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must be letters, digits and signs without a blank'));
}

/** An http address without query or fragment, without the slash at its end; https alone when `secure`. */
export function address(secure: boolean) {
  return v.pipe(
    v.string(),
    v.url('is not an address'),
    v.check(
      (given) => (secure ? ['https:'] : ['https:', 'http:']).includes(new URL(given).protocol),
      secure ? 'must begin with https://' : 'must begin with http:// or https://',
    ),
    v.check((given) => {
      const { search, hash, username } = new URL(given);
      return search === '' && hash === '' && username === '';
    }, 'must be a plain address'),
    v.transform((given) => given.replace(/\/+$/, '')),
  );
}

/** Origins for a Content-Security-Policy; anything else would be read as another directive. */
export function sources() {
  return v.pipe(
    words(),
    v.everyItem(
      (word) => /^https?:\/\/[\w.-]+(:\d+)?\/?$/i.test(word) && URL.canParse(word),
      'must be origins like https://example.com, separated by spaces',
    ),
    v.transform((list) => list.map((word) => new URL(word).origin)),
  );
}
