import { fillsOf } from '@aparta/domain/counter-quote';
import { centavosToPesos, subtract, type Centavos } from '@aparta/domain/money';
import { newId } from '@aparta/browser/new-id.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit, type Submit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useId, useState, type ReactNode } from 'react';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import { useOnline } from '../app/use-online.ts';
import type { Owed } from '../data/payments.ts';
import type { Press } from '../session/press.ts';
import { useBranch } from '../session/session.ts';
import { tillCopy } from './copy.ts';
import { OwedTicket } from './owed-ticket.tsx';
import type { RefusedPress } from './refused-press.ts';
import styles from './till.module.css';

const copy = tillCopy.charge;

/** Nobody hands over a note more than it takes: as much change is a digit too many. */
const LARGEST_NOTE = 1_000_00;

type Which = 'next' | 'all' | 'other';
type Method = Press['method'];

/** Chooses a sum and a way, shows what it fills, and takes it with one press. */
export function Charge({
  owed,
  refused,
  onPress,
  children,
}: {
  owed: Owed;
  /** The last press, if nothing was booked by it: its slip is still in the cashier's hand. */
  refused: RefusedPress | undefined;
  /** Ends when the press has its receipt, or was refused. */
  onPress: (press: Press) => Promise<void>;
  /** What is to be read before. */
  children: ReactNode;
}) {
  const id = useId();
  const branch = useBranch();
  const online = useOnline();
  const [which, setWhich] = useState<Which>('next');
  const [isByKeys, setByKeys] = useState(false);
  const [other, setOther] = useState<Centavos>();
  const [method, setMethod] = useState<Method>(refused?.press.method ?? 'cash');
  const [tendered, setTendered] = useState<Centavos>();

  const asked = which === 'next' ? owed.next : which === 'all' ? owed.all : other;
  const rule = {
    instalments: owed.instalments.map(({ number, balance }) => ({ number, balanceCentavos: balance })),
    feeCentavos: owed.fee,
    isDeposit: owed.kind === 'deposit',
  };
  const fills = asked === undefined ? undefined : fillsOf(rule, asked);
  const amount = fills === undefined ? undefined : asked;
  const hasSums = owed.kind === 'instalments';

  /** A field that comes back is empty. */
  function choose(chosen: Which, byKeys: boolean) {
    setWhich(chosen);
    setByKeys(byKeys);
    setOther(undefined);
  }

  const form = useSubmit({
    check: (typed) => {
      const errors: Record<string, string> = {};
      if (amount === undefined && owed.minimum !== undefined && owed.all !== undefined)
        errors['amount'] = copy.otherWrong(owed.minimum, owed.all);
      if (amount !== undefined && method === 'cash' && typed('tendered').trim() !== '') {
        const given = typedSum(typed('tendered'));
        if (given === undefined || given < amount) errors['tendered'] = copy.tenderedWrong(amount);
        else if (given >= amount + LARGEST_NOTE)
          errors['tendered'] = copy.tenderedTooMuch(subtract(given, amount));
      }
      if (method === 'terminal') {
        if (!/^\d{4}$/.test(typed('last4').trim())) errors['last4'] = copy.last4Wrong;
        if (typed('authorisation').trim() === '') errors['authorisation'] = copy.authorisationWrong;
      }
      return Object.keys(errors).length > 0 ? { errors } : undefined;
    },
    async send(typed) {
      if (amount === undefined || !branch) return {};
      const press: Press = {
        id: newId(),
        branchId: branch.id,
        reference: owed.reference,
        amount: centavosToPesos(amount),
        ...(hasSums && { balanceShown: centavosToPesos(owed.balance) }),
        method,
        ...(method === 'cash'
          ? tendered !== undefined && { tendered: centavosToPesos(tendered) }
          : { last4: typed('last4').trim(), authorisation: typed('authorisation').trim() }),
        productName: owed.productName,
        buyer: owed.buyer,
      };
      await onPress(press);
      return {};
    },
    refuse: () => ({}),
  });

  return (
    <>
      <Form of={form} id={id} className={styles.flow}>
        {children}
        {refused && <Notice tone="danger" title={refused.words} urgent />}
        <OwedTicket owed={owed} />
        {hasSums && <Sums {...{ owed, form, which, isByKeys }} onWhich={choose} onOther={setOther} />}
        {fills && amount !== undefined && (
          <section className={`${text.card} ${text.tight}`} aria-label={copy.fills}>
            <h3>{copy.fills}</h3>
            <LineItems
              rows={[
                ...fills.map((part) => ({
                  label: hasSums ? copy.part(part.number, owed.instalments.length) : copy.depositPart,
                  amount: part.amountCentavos,
                })),
                ...(owed.fee > 0 ? [{ label: copy.fee, amount: owed.fee }] : []),
              ]}
              total={{ label: copy.total, amount, size: 'mid' }}
            />
          </section>
        )}
        <Choice
          legend={copy.method}
          name="method"
          options={[
            { value: 'cash', label: copy.cash },
            { value: 'terminal', label: copy.terminal },
          ]}
          value={method}
          onChange={(chosen) => {
            setMethod(chosen);
            setTendered(undefined);
          }}
        />
        {method === 'cash' ? (
          <Cash form={form} amount={amount} tendered={tendered} onTendered={setTendered} />
        ) : (
          <Slip form={form} before={refused?.press} />
        )}
      </Form>
      <StickyFooter {...(amount !== undefined && { total: { label: copy.footer, amount } })} beside>
        <Button {...form.button(copy.busy)} form={id} variant="primary" wide disabled={!online || !branch}>
          {amount === undefined ? copy.submitNone : copy.submit(amount)}
        </Button>
      </StickyFooter>
    </>
  );
}

function Sums({
  owed: { next, all, minimum },
  form,
  which,
  isByKeys,
  onWhich,
  onOther,
}: {
  owed: Owed;
  form: Submit;
  which: Which;
  isByKeys: boolean;
  onWhich: (which: Which, byKeys: boolean) => void;
  onOther: (amount: Centavos | undefined) => void;
}) {
  if (next === undefined || all === undefined || minimum === undefined) return null;
  return (
    <div className={text.stack}>
      <Choice
        legend={copy.sum}
        name="sum"
        stacked
        options={[
          { value: 'next', label: copy.next(next) },
          ...(all === next ? [] : [{ value: 'all' as const, label: copy.all(all) }]),
          { value: 'other', label: copy.other },
        ]}
        value={which}
        onChange={onWhich}
      />
      {which === 'other' && (
        <Field
          {...form.field('amount')}
          label={copy.otherField}
          hint={copy.otherHint(minimum, all)}
          inputMode="decimal"
          autoComplete="off"
          autoFocus={!isByKeys}
          onInput={(event) => onOther(typedSum(event.currentTarget.value))}
        />
      )}
    </div>
  );
}

function Cash({
  form,
  amount,
  tendered,
  onTendered,
}: {
  form: Submit;
  amount: Centavos | undefined;
  tendered: Centavos | undefined;
  onTendered: (amount: Centavos | undefined) => void;
}) {
  const back =
    amount !== undefined && tendered !== undefined && tendered > amount
      ? subtract(tendered, amount)
      : undefined;
  return (
    <Field
      {...form.field('tendered')}
      label={copy.tendered}
      hint={back === undefined ? copy.tenderedHint : copy.changeOf(back)}
      inputMode="decimal"
      autoComplete="off"
      onInput={(event) => onTendered(typedSum(event.currentTarget.value))}
    />
  );
}

/** What the shop's own terminal printed. */
function Slip({ form, before }: { form: Submit; before: Press | undefined }) {
  return (
    <div className={text.stack}>
      <Field
        {...form.field('last4')}
        defaultValue={before?.last4}
        label={copy.last4}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
      />
      <Field
        {...form.field('authorisation')}
        defaultValue={before?.authorisation}
        label={copy.authorisation}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
      />
    </div>
  );
}
