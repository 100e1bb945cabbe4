import { REFERENCE_STATUS } from '@aparta/contract/layaway';
import { Button } from '@aparta/ui/button.tsx';
import { Dock } from '@aparta/ui/dock.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { Bone, Skeleton } from '@aparta/ui/skeleton.tsx';
import { Steps } from '@aparta/ui/steps.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useWatching } from '@aparta/ui/use-watching.ts';
import { useQuery } from '@tanstack/react-query';
import { isRefused } from '../api/api-error.ts';
import { sentenceFor } from '../copy/refusals.ts';
import { Confirming } from './confirming.tsx';
import { layawayCopy } from './copy.ts';
import { Over } from './over.tsx';
import { Paid } from './paid.tsx';
import { logoQuery, merchantQuery, referenceQuery } from './queries.ts';
import { Waiting } from './waiting.tsx';
import type { Figures } from './wizard-address.ts';
import wizard from './wizard.module.css';

const copy = layawayCopy.payment;

/**
 * A till's payment shows by itself: looked for this often, and this long. Nothing is asked while the page is
 * hidden.
 */
const LOOK_EVERY_MS = 5_000;
const LOOK_FOR_MS = 10 * 60_000;

/**
 * §2, step 3: one reference, shown as it stands on the server. `shown` is what step 2 showed, if it came from
 * there.
 */
export function PaymentStep({
  id,
  shown,
  onStartOver,
}: {
  id: number;
  shown: Figures | undefined;
  onStartOver: () => void;
}) {
  const { watching, again } = useWatching(LOOK_FOR_MS);
  const query = useQuery({
    ...referenceQuery(id),
    refetchInterval: ({ state }) => {
      const status = state.data?.data.Estatus;
      return watching && status === REFERENCE_STATUS.waiting ? LOOK_EVERY_MS : false;
    },
    refetchOnWindowFocus: 'always',
  });
  const { data: reference, error } = query;
  const { data: merchant } = useQuery({ ...merchantQuery(reference?.merchantId ?? 0), enabled: !!reference });
  const { data: logo } = useQuery({ ...logoQuery(merchant?.companyId ?? 0), enabled: !!merchant });

  if (!reference) {
    return (
      <>
        <Steps names={layawayCopy.steps} current={3} />
        <PageHead title={isRefused(error, 'NOT_FOUND') ? copy.missing.title : copy.title} />
        {isRefused(error, 'NOT_FOUND') ? (
          <Missing onStartOver={onStartOver} />
        ) : error ? (
          <Failed
            title={copy.failed}
            text={sentenceFor(error)}
            busy={query.isFetching ? layawayCopy.information.retrying : undefined}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <Loading />
        )}
      </>
    );
  }
  const face = { reference, logo: logo ?? undefined };
  switch (reference.state) {
    case 'waiting':
      return (
        <Waiting
          {...face}
          shown={shown}
          onStartOver={onStartOver}
          watch={
            watching
              ? undefined
              : {
                  busy: query.isFetching,
                  look: () => {
                    again();
                    void query.refetch();
                  },
                }
          }
        />
      );
    case 'confirming':
      return <Confirming {...face} />;
    case 'paid':
      return <Paid {...face} />;
    case 'expired':
    case 'cancelled':
      return <Over {...face} how={reference.state} onStartOver={onStartOver} />;
  }
}

function Missing({ onStartOver }: { onStartOver: () => void }) {
  return (
    <>
      <Notice tone="pending" title={copy.missing.text} />
      <Dock>
        <Button look="next" wide onClick={onStartOver}>
          {copy.missing.again}
        </Button>
      </Dock>
    </>
  );
}

function Loading() {
  return (
    <div className={wizard.body}>
      <Ticket
        label={copy.ticket}
        thing={
          <Skeleton label={copy.loading}>
            <Bone of="tile" />
            <Bone width="most" />
            <Bone width="half" />
          </Skeleton>
        }
        act={
          <div aria-hidden="true" className={text.stack}>
            <Bone of="control" />
            <Bone of="control" />
            <Bone of="title" width="most" />
          </div>
        }
      />
    </div>
  );
}
