import { formatDate, formatMoment, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { subtract, sum } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import expired from '@aparta/ui/drawings/expired.svg?raw';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import type { ReferencePicture } from '@aparta/ui/reference-picture.ts';
import { SaveAndShare } from '@aparta/ui/save-and-share.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { StoreGuide } from '@aparta/ui/store-guide.tsx';
import text from '@aparta/ui/text.module.css';
import { StoreTicket } from '@aparta/ui/store-ticket.tsx';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { TwoColumn } from '@aparta/ui/two-column.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ComponentProps, ReactNode } from 'react';
import { config } from '../../app/config.ts';
import { storeHelpOf, type HelpReference, type StoreHelp } from '../../data/helping.ts';
import { Contact } from './contact.tsx';
import { Outcome } from './not-paid.tsx';
import { storeCopy as copy } from './store-copy.ts';
import { useStoreNumber } from './use-store-number.ts';

type Fact = ComponentProps<typeof FactList>['facts'][number];

/** A helper's number for stores, and what became of it. `onForm` shows the link again, with or without forgetting the number. */
export default function AtStore({
  code,
  kept,
  isOpen,
  onForm,
}: {
  code: string;
  kept: HelpReference;
  /** Whether the link still takes help. */
  isOpen: boolean;
  onForm: (how: 'forget' | 'keep') => void;
}) {
  const { wire, ...rest } = useStoreNumber(code, kept, () => onForm('forget'));
  const help = storeHelpOf(wire);
  const again = (label: string) => (
    <Button variant="primary" wide onClick={() => onForm('forget')}>
      {label}
    </Button>
  );
  const back = backOf(help);
  switch (help.state) {
    case 'waiting':
      return <Waits help={help} {...rest} onOther={() => onForm('keep')} />;
    case 'over':
      return (
        <Outcome
          title={copy.over.title}
          line={copy.over.text}
          drawing={expired}
          facts={[{ icon: 'info', title: copy.over.fact(help.tradeName) }]}
        >
          {again(copy.toForm)}
        </Outcome>
      );
    case 'reversed':
      return (
        <Outcome
          title={copy.reversed.title}
          line={copy.reversed.text}
          drawing={expired}
          facts={[{ icon: 'info', title: copy.reversed.fact }]}
        >
          {again(copy.toForm)}
        </Outcome>
      );
    case 'owed_back':
      return (
        <Outcome
          title={help.isHandedOver ? copy.owedBack.doneTitle : copy.owedBack.title}
          line={copy.owedBack.text}
          drawing={waiting}
          facts={back}
        >
          {again(copy.toForm)}
        </Outcome>
      );
    case 'paid':
      return (
        <Given help={help}>
          {back.length > 0 && <FactList facts={back} />}
          <p className={text.muted}>{copy.paid.emailed}</p>
          {isOpen && (
            <Button wide onClick={() => onForm('forget')}>
              {copy.again}
            </Button>
          )}
          <Contact />
        </Given>
      );
  }
}

/** That it was paid more than once, and what comes back, by the payment that it is of. */
function backOf({ payments, tradeName }: StoreHelp): Fact[] {
  const back = payments.filter(({ owedBack }) => owedBack > 0);
  return [
    ...(payments.length > 1 ? [{ icon: 'info', title: copy.times(payments.length) } as const] : []),
    ...back.map(({ folio, owedBack, isHandedOver }) => ({
      key: folio,
      icon: 'store' as const,
      title: isHandedOver ? copy.backDone(owedBack) : copy.back(owedBack),
      text: isHandedOver ? folioOf(folio) : copy.backHow(tradeName, inGroups(folio)),
    })),
  ];
}

const folioOf = (folio: string) => `${copy.paid.folio} ${inGroups(folio)}`;

/** Everything that helper and cashier need. */
function Waits({
  help,
  isOld,
  isChecking,
  check,
  onOther,
}: {
  help: StoreHelp;
  isOld: boolean;
  isChecking: boolean;
  check: (() => void) | undefined;
  onOther: () => void;
}) {
  useArrival(copy.title, config.productName);
  const { total, fee, number = '', expiresAt, stores, productName, firstName, tradeName } = help;
  return (
    <Flow>
      <PageHead title={copy.title}>{copy.for(productName, firstName)}</PageHead>
      <TwoColumn
        side={
          <>
            <div className={text.loose}>
              <StoreGuide
                how={copy.how}
                steps={copy.steps(total)}
                where={copy.where}
                stores={stores.map(({ name, limit, takesIt }) => ({
                  name,
                  takesIt,
                  says: copy.takes(limit, takesIt),
                }))}
                when={copy.when}
              />
              {check && (
                <Button busy={isChecking ? copy.checking : undefined} icon="retry" onClick={check}>
                  {copy.check}
                </Button>
              )}
              <Button variant="quiet" onClick={onOther}>
                {copy.otherPayment}
              </Button>
              <Contact />
            </div>
            <StickyFooter>
              <SaveAndShare
                main
                picture={pictureOf(help)}
                words={copy.shareText(productName, inGroups(number), total, expiresAt)}
              />
            </StickyFooter>
          </>
        }
      >
        <div className={text.loose}>
          {isOld && (
            <Notice tone="pending" title={copy.old.title}>
              {copy.old.text}
            </Notice>
          )}
          {help.isTooMuch && (
            <Notice tone="pending" title={copy.tooMuch.title}>
              {copy.tooMuch.text(tradeName)}
            </Notice>
          )}
          <StoreTicket words={copy} total={total} bars={number} reference={number}>
            {fee > 0 && (
              <LineItems
                rows={[
                  { label: copy.help, amount: subtract(total, fee) },
                  { label: copy.fee, amount: fee },
                ]}
              />
            )}
            <Notice tone="pending" title={copy.goodUntil(expiresAt)}>
              {copy.afterwards}
            </Notice>
          </StoreTicket>
        </div>
      </TwoColumn>
    </Flow>
  );
}

function pictureOf({
  productName,
  tradeName,
  total,
  number = '',
  expiresAt,
  stores,
}: StoreHelp): ReferencePicture {
  const words = copy.picture;
  const takers = stores.filter(({ takesIt }) => takesIt).map(({ name }) => name);
  return {
    appName: config.productName,
    heading: words.heading,
    productName,
    merchantName: tradeName,
    sums: [{ label: copy.total, amount: total }],
    reference: number,
    ground: 'white',
    goodUntil: words.goodUntil(expiresAt),
    instruction: words.instruction(takers, total),
  };
}

const sumOf = (back: StoreHelp['payments']) => sum(back.map(({ owedBack }) => owedBack));

/** The receipt of what a store took; what of it the shop gives back comes first. */
function Given({ help, children }: { help: StoreHelp; children: ReactNode }) {
  const words = copy.paid;
  const { firstName, productName, pictures, tradeName, given, payments } = help;
  const back = payments.filter(({ owedBack }) => owedBack > 0);
  const waits = back.filter(({ isHandedOver }) => !isHandedOver);
  const title =
    waits.length > 0
      ? copy.toCollect(sumOf(waits))
      : back.length > 0
        ? copy.backDone(sumOf(back))
        : words.title;
  useArrival(title, config.productName);
  const paidAt = payments.at(-1)?.paidAt ?? help.expiresAt;
  return (
    <Flow>
      <PageHead title={title}>{back.length > 0 ? copy.unused(firstName) : words.text(firstName)}</PageHead>
      <div className={text.stack}>
        <Ticket
          label={words.receipt}
          kind="receipt"
          thing={
            <PaidSum
              label={words.gave}
              amount={given}
              date={formatDate(mexicoCityDate(paidAt))}
              // It would say that the purchase still has all of it.
              {...(back.length > 0 && { badge: null })}
            >
              <ProductHeader title={productName} sub={tradeName} merchant={tradeName} pictures={pictures} />
            </PaidSum>
          }
          act={
            <LineItems
              rows={
                payments.length > 1
                  ? payments.map((one) => ({ label: folioOf(one.folio), amount: one.amount }))
                  : [
                      { label: words.date, text: words.moment(formatMoment(paidAt)) },
                      ...payments.map((one) => ({ label: words.folio, text: inGroups(one.folio) })),
                    ]
              }
            />
          }
        />
        {children}
      </div>
    </Flow>
  );
}
