import { Button } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import type { FiscalClient } from '../data/fiscal-clients.ts';
import { fiscalCopy } from './fiscal-copy.ts';
import styles from './fiscal.module.css';

const copy = fiscalCopy.clients;

/** Spec §2, the table of fiscal clients. On narrow screens each row is a card. */
export function FiscalClients({
  clients,
  open,
  onCorrect,
  onRemove,
}: {
  clients: readonly FiscalClient[];
  /** The one being edited. */
  open: number | undefined;
  onCorrect: (id: number) => void;
  onRemove: (client: FiscalClient) => void;
}) {
  if (clients.length === 0) return <p className={`${text.card} ${text.muted}`}>{copy.empty}</p>;
  return (
    <div className={`${text.card} ${styles.room}`}>
      <table className={styles.clients} aria-labelledby="datos-fiscales">
        <thead>
          <tr>
            {[copy.name, copy.rfc, copy.regime, copy.providerId, copy.acts].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {clients.map((client) => {
            const { rfc, name, alias } = client.values;
            return (
              <tr key={client.id} aria-current={client.id === open || undefined}>
                <th scope="row">
                  {name}
                  {alias !== '' && <small>{alias}</small>}
                </th>
                <td data-label={copy.rfc}>{rfc}</td>
                <td data-label={copy.regime}>{client.regime}</td>
                <td data-label={copy.providerId}>
                  {client.providerId || <span className={text.muted}>{copy.noProviderId}</span>}
                </td>
                <td>
                  <Acts rfc={rfc} onCorrect={() => onCorrect(client.id)} onRemove={() => onRemove(client)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Acts({ rfc, onCorrect, onRemove }: { rfc: string; onCorrect: () => void; onRemove: () => void }) {
  return (
    <>
      <Button small variant="quiet" onClick={onCorrect}>
        <span>
          {copy.correct} <span className={text.srOnly}>{rfc}</span>
        </span>
      </Button>
      <Button small variant="quiet" aria-haspopup="dialog" onClick={onRemove}>
        <span>
          {copy.remove} <span className={text.srOnly}>{rfc}</span>
        </span>
      </Button>
    </>
  );
}
