import { readPickupText } from '@aparta/domain/pickup-code';
import { may } from '@aparta/domain/staff-rights';
import { parsePaymentReference, groupDigits } from '@aparta/domain/payment-reference';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Select } from '@aparta/ui/other-fields.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { paths, purchasesAddress } from '../app/paths.ts';
import { useNetwork } from '../app/use-online.ts';
import { ScanButton } from '../scan/scan-button.tsx';
import { handOverPresses } from '../session/press.ts';
import { session, useBranch, useSession } from '../session/session.ts';
import { tillCopy } from './copy.ts';
import { Unfinished } from './unfinished.tsx';
import styles from './till.module.css';

const copy = tillCopy.find;

/** The counter's first gesture: find what is to be paid, by its code or its number. */
export default function FindPage() {
  useArrival(copy.title, config.productName);
  const position = useSession()?.position;
  // Nobody knows yet whether goods were handed over: that is asked first.
  if (handOverPresses.unfinished(position)) return <Redirect to={paths.handOver()} replace />;
  return (
    <Page>
      <div className={styles.column}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <Unfinished>
          <Find />
        </Unfinished>
      </div>
    </Page>
  );
}

function Find() {
  const [, navigate] = useLocation();
  const online = useNetwork();
  const [problem, setProblem] = useState<string>();
  const [last4, setLast4] = useState<string>();
  const role = useSession()?.position.role;
  const findsBuyers = role !== undefined && may(role, 'find_buyers');

  const form = useSubmit({
    check: (typed) => {
      const code = typed('code');
      setLast4(findsBuyers && isPhone(code) ? compact(code).slice(-4) : undefined);
      const wrong = findsBuyers && isName(code) ? undefined : problemOf(code, findsBuyers);
      return wrong === undefined ? undefined : { errors: { code: wrong } };
    },
    async send(typed) {
      const code = typed('code');
      navigate(
        findsBuyers && isName(code)
          ? purchasesAddress({ show: 'all', search: code.trim() })
          : paths.charge(compact(code)),
      );
      return 'leaving';
    },
    refuse: () => ({}),
  });

  function found(code: string) {
    if (readPickupText(code)) return navigate(paths.handOver(), { state: { scanned: code } });
    const wrong = problemOf(code, findsBuyers);
    if (wrong === undefined) navigate(paths.charge(compact(code)));
    else setProblem(wrong);
  }

  return (
    <div className={text.loose}>
      <Branch />
      <ScanButton text={copy.scan} problem={problem} onOpen={() => setProblem(undefined)} onFound={found} />
      <Form of={form} className={`${text.card} ${text.stack}`}>
        <Field
          {...form.field('code')}
          label={copy.number}
          hint={copy.hint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={40}
          onInput={(event) => group(event.currentTarget)}
        />
        <Button type="submit" wide>
          {copy.submit}
        </Button>
        {last4 !== undefined && (
          <ButtonLink wide to={purchasesAddress({ show: 'all', search: last4 })}>
            {copy.byPhone(last4)}
          </ButtonLink>
        )}
      </Form>
      {online && (
        <ButtonLink wide to={paths.handOver()}>
          {copy.handOver}
        </ButtonLink>
      )}
    </div>
  );
}

/** Where this device stands, for who works in several branches. */
function Branch() {
  const branches = useSession()?.branches ?? [];
  const branch = useBranch();
  if (branches.length < 2 || !branch) return null;
  return (
    <Select
      label={copy.branch}
      name="branch"
      value={String(branch.id)}
      options={branches.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(event) => session.chooseBranch(Number(event.target.value))}
    />
  );
}

function compact(code: string): string {
  return code.replace(/[\s‐-―-]/g, '').toUpperCase();
}

/** What can be told of a code before anybody is asked; undefined for one that may exist. */
function problemOf(code: string, findsBuyers: boolean): string | undefined {
  const whole = compact(code);
  if (whole === '') return copy.empty;
  if (isPhone(code)) return findsBuyers ? copy.aPhone : `${copy.aPhone} ${copy.phoneIsOthers}`;
  if (/^HTTPS?:|^\d+-|REF=/.test(code.trim().toUpperCase())) return copy.productCode;
  if (/^[0-9A-Z]{10}$/.test(whole)) return undefined;
  if (isName(code) || code.includes('@')) return copy.aName;
  return parsePaymentReference(whole) ? undefined : copy.wrongDigit;
}

/** Ten digits: a printed number has more, a folio others too, and a product's code one alone between dashes. */
const isPhone = (code: string) => /^(\+52)?\d{10}$/.test(compact(code)) && !/(^|-)\d-/.test(code);

/** Whether somebody who forgot their number was typed by their name: no number is of words alone. */
function isName(code: string): boolean {
  return /^\p{L}[\p{L}\s.'’-]+$/u.test(code.trim()) && !/^[A-Z]{10}$/i.test(compact(code));
}

/** Groups digits as they are typed; the caret stays at the end, where digits are added. */
function group(input: HTMLInputElement): void {
  const { value } = input;
  if (input.selectionStart !== value.length || !/^[\d ]+$/.test(value)) return;
  const grouped = groupDigits(value.replaceAll(' ', ''));
  if (grouped !== value) input.value = grouped;
}
