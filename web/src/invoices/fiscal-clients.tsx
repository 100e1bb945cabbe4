import { Button } from '../ui/button.tsx';
import { fiscalCopy } from './fiscal-copy.ts';
import type { FiscalClient } from './fiscal-queries.ts';
import styles from './fiscal.module.css';
import text from '../ui/text.module.css';

const copy = fiscalCopy.clients;

/** §2, the table of fiscal clients. Where it has no room for its columns, each row is a card: its roles say what CSS undoes. */
export function FiscalClients({
  clients,
  open,
  onCorrect,
  onRemove,
}: {
  clients: readonly FiscalClient[];
  /** The one that is in the form. */
  open: number | undefined;
  onCorrect: (id: number) => void;
  onRemove: (client: FiscalClient) => void;
}) {
  if (clients.length === 0) return <p className={`${text.card} ${text.muted}`}>{copy.empty}</p>;
  return (
    <div className={`${text.card} ${styles.room}`}>
      <table className={styles.clients} role="table" aria-labelledby="datos-fiscales">
        <thead role="rowgroup">
          <tr role="row">
            {[copy.name, copy.rfc, copy.regime, copy.providerId, copy.acts].map((column) => (
              <th key={column} role="columnheader" scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {clients.map((client) => {
            const { rfc, name, alias } = client.values;
            return (
              <tr key={client.id} role="row" aria-current={client.id === open || undefined}>
                <th role="rowheader" scope="row">
                  {name}
                  {alias !== '' && <small>{alias}</small>}
                </th>
                <td role="cell" data-label={copy.rfc}>
                  {rfc}
                </td>
                <td role="cell" data-label={copy.regime}>
                  {client.regime}
                </td>
                <td role="cell" data-label={copy.providerId}>
                  {client.providerId || <span className={text.muted}>{copy.noProviderId}</span>}
                </td>
                <td role="cell">
                  <Button small look="quiet" onClick={() => onCorrect(client.id)}>
                    <span>
                      {copy.correct} <span className={text.srOnly}>{copy.which(rfc)}</span>
                    </span>
                  </Button>
                  <Button small look="quiet" aria-haspopup="dialog" onClick={() => onRemove(client)}>
                    <span>
                      {copy.remove} <span className={text.srOnly}>{copy.which(rfc)}</span>
                    </span>
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
