import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActOf } from '../lists/act-of.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { devicesQuery, endDevice, liftLock, type Device } from '../data/devices.ts';
import { useSession } from '../session/session.ts';
import { devicesCopy as copy } from './copy.ts';
import styles from './devices.module.css';
import EnrolSheet from './enrol-sheet.tsx';

/** The shared phones and tablets of the person's branches: enrol, unlock a PIN, end. */
export default function DevicesPage() {
  useArrival(copy.title, config.productName);
  const queries = useQueryClient();
  const query = useQuery(devicesQuery);
  const isShared = useSession()?.isShared === true;
  const [isAdding, setAdding] = useState(false);
  const { data } = query;
  const close = () => {
    setAdding(false);
    void queries.invalidateQueries({ queryKey: devicesQuery.queryKey });
  };
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        {!isShared && (
          <Button variant="primary" icon="qr" wide onClick={() => setAdding(true)}>
            {copy.add}
          </Button>
        )}
        {data ? (
          data.map((device) => <Card key={device.id} device={device} mayEnd={!isShared} />)
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading} />
        )}
        {data?.length === 0 && <p className={text.muted}>{copy.none}</p>}
      </div>
      {isAdding && <EnrolSheet onClose={close} />}
    </Page>
  );
}

/** `mayEnd`: who gave a PIN alone ends no device. */
function Card({ device, mayEnd }: { device: Device; mayEnd: boolean }) {
  const queries = useQueryClient();
  const [isEnding, setEnding] = useState(false);
  const onSuccess = () => queries.invalidateQueries({ queryKey: devicesQuery.queryKey });
  const ending = useMutation({ mutationFn: () => endDevice(device.id), onSuccess });
  const lifting = useMutation({ mutationFn: (id: string) => liftLock(device.id, id), onSuccess });
  const problem = ending.error ?? lifting.error;
  return (
    <section className={`${text.card} ${text.stack}`}>
      <div>
        <h2>{device.name}</h2>
        <p className={text.muted}>{copy.since(device.branch.name, formatMoment(device.enrolledAt))}</p>
      </div>
      {problem && <Notice tone="danger" title={sentenceFor(problem)} urgent />}
      {device.locked.map(({ positionId, name }) => (
        <div key={positionId} className={text.between}>
          <b>{copy.locked(name)}</b>
          <Button
            small
            busy={lifting.isPending && lifting.variables === positionId ? copy.unlocking : undefined}
            onClick={() => lifting.mutate(positionId)}
          >
            <ActOf act={copy.unlock} of={`${name}, ${device.name}`} />
          </Button>
        </div>
      ))}
      {isEnding && <p>{copy.endText}</p>}
      {mayEnd && (
        <Button
          variant={isEnding ? 'danger' : 'secondary'}
          wide
          busy={ending.isPending ? copy.ending : undefined}
          onClick={() => (isEnding ? ending.mutate() : setEnding(true))}
        >
          {isEnding ? copy.endSure(device.name) : <ActOf act={copy.end} of={device.name} />}
        </Button>
      )}
    </section>
  );
}
