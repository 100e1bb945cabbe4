import './capture-icons.ts';
import './more-icons.ts';
import { centavos } from '@aparta/domain/money';
import { useState, type ReactNode } from 'react';
import { useAlert } from './alert.tsx';
import { Amount } from './amount.tsx';
import { Barcode } from './barcode.tsx';
import { LineItems } from './line-items.tsx';
import { Button, IconButton } from './button.tsx';
import { Check } from './check.tsx';
import { Choice } from './choice.tsx';
import { Chip } from './chip.tsx';
import { Code } from './code.tsx';
import { HeroDrawing } from './hero-drawing.tsx';
import { Sheet } from './dialog.tsx';
import { StickyFooter } from './sticky-footer.tsx';
import { Drawing } from './drawing.tsx';
import emptyShelf from './drawings/empty-shelf.svg?raw';
import pay from './drawings/pay.svg?raw';
import cancelled from './drawings/cancelled.svg?raw';
import reserve from './drawings/reserve.svg?raw';
import waiting from './drawings/waiting.svg?raw';
import { designCopy as copy } from './design-copy.ts';
import { Failed } from './failed.tsx';
import { Field, PasswordField } from './field.tsx';
import { Select, TextArea } from './other-fields.tsx';
import { Logo } from './logo.tsx';
import { Notice } from './notice.tsx';
import { Option } from './option.tsx';
import { Progress } from './progress.tsx';
import { SkeletonBlock, Skeleton } from './skeleton.tsx';
import { PaidBadge } from './paid-badge.tsx';
import { Steps } from './steps.tsx';
import { Ticket } from './ticket.tsx';
import { Timeline, TimelineItem } from './timeline.tsx';
import { Tabs } from './tabs.tsx';
import { FactList } from './fact-list.tsx';
import { ProductHeader } from './product-header.tsx';
import styles from './design-page.module.css';
import text from './text.module.css';

const colours = (
  'ground surface surface-raised sunken ink ink-2 hairline leader line-control action action-edge action-text ' +
  'action-wash paid paid-wash pending pending-wash danger danger-wash quiet-wash plate-orange'
).split(' ');

const twelve = Array.from({ length: 12 }, (_, segment) =>
  segment < 7 ? 'paid' : segment === 7 ? 'next' : 'upcoming',
);
const balance = centavos(169_980);
const fee = centavos(1_500);
const total = centavos(171_480);

/** Every component in every state, for developers. Nothing links here. */
export default function DesignPage() {
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Logo name={copy.product} />
        <h1>{copy.title}</h1>
      </header>
      <div className={styles.plates}>
        <Tokens />
        <Amounts />
        <Buttons />
        <Fields />
        <Badges />
        <Timelines />
        <Tickets />
        <Codes />
        <Notices />
        <Dialogs />
        <Loading />
        <Part name="Steps">
          <Steps names={copy.steps} current={2} />
        </Part>
        <TabsOfTwo />
        <Part name="StickyFooter">
          <StickyFooter total={{ label: copy.total, amount: total }}>
            <Button variant="primary" wide icon="card">
              {copy.pay}
            </Button>
          </StickyFooter>
        </Part>
        <Drawings />
      </div>
    </main>
  );
}

function Tokens() {
  return (
    <Part name="Tokens" wide>
      <ul className={styles.swatches}>
        {colours.map((colour) => (
          <li key={colour} style={{ '--c': `var(--${colour})` } as React.CSSProperties}>
            {colour}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Amounts() {
  return (
    <Part name="Amount">
      {(['hero', 'big', 'mid', 'strong', 'plain'] as const).map((size) => (
        <p key={size} className={text.between}>
          <Amount of={total} size={size} />
          <span className={text.muted}>{size}</span>
        </p>
      ))}
    </Part>
  );
}

function Buttons() {
  return (
    <Part name="Button">
      <div className={styles.wrap}>
        <Button variant="primary">{copy.pay}</Button>
        <Button variant="primary" icon="card" busy={copy.paying}>
          {copy.pay}
        </Button>
        <Button variant="primary" disabled>
          {copy.pay}
        </Button>
      </div>
      <div className={styles.wrap}>
        <Button icon="share">{copy.share}</Button>
        <Button variant="danger">{copy.cancel}</Button>
        <Button variant="quiet">{copy.cancelQuiet}</Button>
        <IconButton icon="close" label={copy.closeWord} onClick={() => {}} />
      </div>
    </Part>
  );
}

function Fields() {
  const [person, setPerson] = useState<'fisica' | 'moral'>('fisica');
  return (
    <Part name="Field, PasswordField, Select, TextArea, Choice, Check">
      <Field label={copy.email} name="email" type="email" defaultValue="marisol.reyes@correo.mx" />
      <Field label={copy.zip} name="zip" inputMode="numeric" defaultValue="7200" error={copy.zipError} />
      <Field label={copy.reference} name="ref" placeholder={copy.paste} hint={copy.pasteHint} />
      <PasswordField label={copy.password} name="password" autoComplete="current-password" />
      <Select label={copy.use} name="use" options={[{ value: 'G03', label: copy.useOption }]} />
      <TextArea label={copy.reason} name="reason" />
      <Choice
        legend={copy.person}
        name="person"
        value={person}
        onChange={setPerson}
        options={[
          { value: 'fisica', label: copy.natural },
          { value: 'moral', label: copy.legal },
        ]}
      />
      <Check name="terms">{copy.terms}</Check>
    </Part>
  );
}

function Badges() {
  return (
    <Part name="Chip, Progress, PaidBadge">
      <div className={styles.wrap}>
        <Chip state="active" />
        <Chip state="paid_off" />
        <Chip state="cancelled" />
        <Chip state="paid" />
        <Chip state="due" text={copy.tomorrow} />
        <Chip state="atStore" />
        <Chip state="confirming" />
        <Chip state="late" />
        <Chip state="upcoming" />
      </div>
      <div className={`${text.card} ${text.stack}`}>
        <Progress segments={['paid', 'paid', 'next']} aside={<Chip state="due" text={copy.tomorrow} />} />
        <Progress segments={['paid', 'late', 'upcoming']} />
        <Progress segments={['paid', 'pending', 'upcoming']} />
        <Progress segments={['paid', 'paid', 'paid']} aside={<Chip state="paid_off" />} />
        <Progress segments={twelve} />
      </div>
      <p>
        <PaidBadge date={copy.date} />
      </p>
    </Part>
  );
}

function Timelines() {
  return (
    <Part name="Timeline">
      <Timeline label={copy.timeline}>
        {(['paid', 'late', 'atStore', 'confirming', 'due', 'upcoming'] as const).map((state, index) => (
          <TimelineItem
            key={state}
            state={state}
            number={index + 1}
            title={copy.instalment(index + 1)}
            amount={balance}
            note={copy.date}
          />
        ))}
      </Timeline>
    </Part>
  );
}

function Tickets() {
  return (
    <Part name="Ticket, LineItems, ProductHeader">
      <Ticket
        label={copy.thing}
        thing={<ProductHeader title={copy.thing} sub={copy.merchant} merchant={copy.merchant} />}
        act={
          <LineItems
            rows={[
              { label: copy.balance, amount: balance },
              { label: copy.fee, amount: fee },
            ]}
            total={{ label: copy.total, amount: total }}
          />
        }
      />
      <Ticket
        label={copy.receipt}
        kind="receipt"
        thing={
          <p className={text.between}>
            <Amount of={total} size="big" />
            <PaidBadge date={copy.date} />
          </p>
        }
        act={
          <LineItems
            rows={[
              { label: copy.folio, text: 'A7K2 9931' },
              { label: copy.left, amount: balance, strong: true },
            ]}
          />
        }
      />
    </Part>
  );
}

function Codes() {
  return (
    <Part name="Barcode, Code">
      <Barcode reference="11000048213" />
      <Code label={copy.referenceWord} reference="11000048213" />
      <Barcode reference="11000048213" ground="white" />
    </Part>
  );
}

function Notices() {
  return (
    <Part name="Notice, FactList, Option">
      <Notice tone="danger" title={copy.wrong} onDismiss={() => {}} />
      <Notice tone="pending" title={copy.confirming}>
        {copy.doNotPay}
      </Notice>
      <Notice tone="next" title={copy.last} />
      <Notice tone="info" title={copy.offline}>
        {copy.offlineText}
      </Notice>
      <div className={text.card}>
        <FactList
          facts={[
            { icon: 'warning', title: copy.bank, text: copy.bankText },
            { icon: 'check', title: copy.noMoney },
          ]}
        />
      </div>
      <Option icon="store" title={copy.store} text={copy.storeText} onClick={() => {}} />
    </Part>
  );
}

function Dialogs() {
  const [sheet, setSheet] = useState(false);
  const showAlert = useAlert();
  return (
    <Part name="Sheet, Alert">
      <div className={styles.wrap}>
        <Button onClick={() => setSheet(true)}>Sheet</Button>
        <Button
          onClick={() =>
            void showAlert({
              kind: 'error',
              title: 'Oops...',
              text: copy.alertText,
              footer: copy.alertFooter,
            })
          }
        >
          Alert
        </Button>
      </div>
      {sheet && (
        <Sheet title={copy.sheet} onClose={() => setSheet(false)}>
          <Amount of={total} size="hero" />
          <Option
            icon="card"
            title={copy.card}
            text={copy.cardText}
            amount={total}
            onClick={() => setSheet(false)}
          />
          <Button onClick={() => setSheet(false)}>{copy.closeWord}</Button>
        </Sheet>
      )}
    </Part>
  );
}

function Loading() {
  return (
    <Part name="Skeleton, Failed">
      <div className={text.card}>
        <Skeleton label={copy.loading}>
          <SkeletonBlock shape="chip" />
          <SkeletonBlock shape="title" width="most" />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="segments" />
          <SkeletonBlock shape="control" />
        </Skeleton>
      </div>
      <Failed title={copy.failed} text={copy.failedText} onRetry={() => {}} />
    </Part>
  );
}

function TabsOfTwo() {
  const [tab, setTab] = useState<'general' | 'fiscal'>('general');
  return (
    <Part name="Tabs">
      <Tabs
        label={copy.tabs.label}
        open={tab}
        onOpen={setTab}
        tabs={(['general', 'fiscal'] as const).map((id) => ({
          id,
          label: copy.tabs[id],
          panel: <p>{copy.tabs[id]}</p>,
        }))}
      />
    </Part>
  );
}

function Drawings() {
  return (
    <Part name="Drawings" wide>
      <div className={styles.drawings}>
        {[reserve, pay, emptyShelf].map((svg, index) => (
          <Drawing key={index} svg={svg} />
        ))}
      </div>
      <HeroDrawing drawing={waiting} />
      <HeroDrawing drawing={cancelled} />
    </Part>
  );
}

function Part({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={styles.part} data-wide={wide || undefined}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
