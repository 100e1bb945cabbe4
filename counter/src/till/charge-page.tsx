import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { may } from '@aparta/domain/staff-rights';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { paths, purchasesAddress } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { owedQuery } from '../data/payments.ts';
import type { Press } from '../session/press.ts';
import { useSession } from '../session/session.ts';
import { Charge } from './charge.tsx';
import { tillCopy } from './copy.ts';
import { OwedTicket } from './owed-ticket.tsx';
import { refusedPress, type RefusedPress } from './refused-press.ts';
import { Unanswered, Unfinished } from './unfinished.tsx';
import { useTake } from './use-take.ts';

const copy = tillCopy.charge;

/** What a code stands for, and taking money for it. */
export default function ChargePage({ code }: { code: string }) {
  useArrival(copy.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.title} />
      <Unfinished>
        <Owed code={code} />
      </Unfinished>
    </Flow>
  );
}

function Owed({ code }: { code: string }) {
  const online = useOnline();
  const { state, send } = useTake();
  // Until a press has its end nothing is looked up: what it has changed itself would be offered as the next sum to take.
  const query = useQuery({ ...owedQuery(code), enabled: state.is === 'idle' });
  const { data: owed, error } = query;
  const [refused, setRefused] = useState<RefusedPress>();
  const role = useSession()?.position.role;
  const mayPay = role !== undefined && may(role, 'pay_refund');
  const today = useToday();
  const lastPaid = owed?.lastPaid;
  const paidToday = lastPaid && mexicoCityDate(lastPaid.at) === today ? lastPaid : undefined;
  const toGiveBack = mayPay && owed && owed.owedBack > 0 ? owed.purchaseId : null;

  const take = (press: Press) =>
    send(press).catch((error_: unknown) => {
      setRefused(refusedPress(press, error_));
      void query.refetch();
    });

  if (state.is === 'waiting' || state.is === 'stuck') {
    const { press } = state;
    return (
      <Unanswered
        press={press}
        stuck={state.is === 'stuck'}
        busy={state.is === 'waiting'}
        onRetry={() => void take(press)}
      />
    );
  }
  if (isRefused(error, 'NOT_FOUND'))
    return (
      <div className={text.stack}>
        <Notice tone="danger" title={sentenceFor(error)} urgent />
        <Again />
      </div>
    );
  if (!owed)
    return error ? (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={query.isFetching ? copy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Loading />
    );
  if (owed.state !== 'open')
    return (
      <div className={text.stack}>
        {refused && <Notice tone="danger" title={refused.words} urgent />}
        <OwedTicket owed={owed} />
        {owed.owedBack > 0 ? (
          <Notice tone="pending" title={copy.owedBack(owed.owedBack)}>
            {mayPay ? copy.states.cancelled.text : copy.owedBackText}
          </Notice>
        ) : (
          <Notice tone="info" title={copy.states[owed.state].title}>
            {copy.states[owed.state].text}
          </Notice>
        )}
        {owed.state === 'paid_off' && online && (
          <ButtonLink variant="primary" wide to={paths.handOver(code)}>
            {copy.handOver}
          </ButtonLink>
        )}
        {toGiveBack !== null && (
          <ButtonLink variant="primary" wide to={purchasesAddress({ show: 'cancelled' }, toGiveBack)}>
            {copy.giveBack}
          </ButtonLink>
        )}
        <Again isBeside={owed.state === 'paid_off' || toGiveBack !== null} />
      </div>
    );
  return (
    <Charge
      // A sum that changed is chosen anew; how it was paid stays.
      key={owed.balance}
      owed={owed}
      refused={refused}
      onPress={take}
    >
      {paidToday && (
        <Notice tone="pending" title={copy.paidToday(paidToday.amount)}>
          {copy.paidTodayText(paidToday.at)}
        </Notice>
      )}
    </Charge>
  );
}

function Again({ isBeside = false }: { isBeside?: boolean }) {
  return (
    <ButtonLink variant={isBeside ? 'secondary' : 'primary'} wide to={paths.find}>
      {copy.again}
    </ButtonLink>
  );
}

function Loading() {
  return (
    <Skeleton label={copy.loading}>
      <div className={text.card}>
        <div className={text.stack}>
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock width="most" />
        </div>
      </div>
      <SkeletonBlock shape="control" />
      <SkeletonBlock shape="control" />
    </Skeleton>
  );
}
