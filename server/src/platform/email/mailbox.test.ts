import { isEmailAddress } from '@aparta/domain/email-address';
import fc from 'fast-check';
import addressParser from 'nodemailer/lib/addressparser';
import { expect, test } from 'vitest';

/** What the mailer makes of a text: the mailboxes that an email to it would reach. */
const mailboxes = (text: string) => addressParser(text, { flatten: true }).map(({ address }) => address);

const ANA = 'ana.lopez+aparta@example.mx';

test.each([ANA, "o'hara@example.mx", 'a_b-c@correo.example.com.mx', 'x@xn--mxico-bsa.mx'])(
  'an account may have %s',
  (address) => {
    expect([isEmailAddress(address), mailboxes(address)]).toEqual([true, [address]]);
  },
);

test.each([
  `<${ANA}>`,
  `<${ANA}`,
  `${ANA}>`,
  `Ana <${ANA}>`,
  `x:${ANA}`,
  `"ana"@example.mx`,
  `ana(x)@example.mx`,
  `${ANA};`,
  `${ANA},b@example.mx`,
  `a b@example.mx`,
  `${ANA}.`,
  '.ana@example.mx',
  'a..b@example.mx',

  'ana@example..mx',
  'ana@-example.mx',
  'ana@[192.0.2.1]',
  'ana@192.0.2.1',
  'ana@b@example.mx',
  '@example.mx',
  'ñandú@correo.mx',
  'ana@correo',
  `${'a'.repeat(65)}@example.mx`,
  `a@${'b.'.repeat(127)}mx`,
  '',
])('no account may have %j', (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test('the mailer reads every address that an account may have as itself, so a mailbox has one account', () => {
  const sign = fc.constantFrom(...'ab1.@<>()[]:;,"\\\' -_+{|}=\t\n\u0000ñ');
  const near = fc.string({ unit: sign, maxLength: 6 });
  const text = fc
    .tuple(near, fc.constantFrom('ana', '"ana"', 'a.b'), near, fc.constantFrom('@', ''), near)
    .map(([before, name, after, at, end]) => `${before}${name}${after}${at}example${end}.mx`);
  const misread = fc.check(
    fc.property(
      fc.oneof(text, fc.emailAddress()),
      (address) => !isEmailAddress(address) || mailboxes(address).join() === address,
    ),
    { numRuns: 5_000 },
  );
  expect(misread.counterexample).toBeNull();
});
