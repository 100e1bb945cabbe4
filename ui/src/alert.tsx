import { createContext, use, useId, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { uiCopy } from './copy.ts';
import { ModalDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import styles from './alert.module.css';

/** The spec's alerts are title / text / kind (spec §8), one of them with a footer (spec §5). */
export type AlertText = {
  kind: 'success' | 'warning' | 'error' | 'info';
  title: string;
  text?: string;
  footer?: string;
};

type ShowAlert = (alert: AlertText) => Promise<void>;

const AlertContext = createContext<ShowAlert | undefined>(undefined);

const icons = { success: 'check', warning: 'warning', error: 'warning', info: 'info' } as const;

/** Renders the app's one alert dialog, above every screen. Alerts shown at the same time queue up. */
export function AlertHost({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<{ alert: AlertText; close: () => void }[]>([]);
  const [showAlert] = useState<ShowAlert>(
    () => (alert: AlertText) =>
      new Promise<void>((resolve) => {
        const entry = {
          alert,
          close: () => {
            setQueue((waiting) => waiting.filter((other) => other !== entry));
            resolve();
          },
        };
        setQueue((waiting) => [...waiting, entry]);
      }),
  );
  const first = queue[0];
  return (
    <AlertContext value={showAlert}>
      {children}
      {first && <AlertDialog alert={first.alert} onClose={first.close} />}
    </AlertContext>
  );
}

/** Shows an alert and resolves once the buyer has closed it: `await showAlert(alert); navigate(…)`. */
export function useAlert(): ShowAlert {
  const showAlert = use(AlertContext);
  if (!showAlert) throw new Error('useAlert needs an AlertHost above it');
  return showAlert;
}

function AlertDialog({ alert, onClose }: { alert: AlertText; onClose: () => void }) {
  const id = useId();
  return (
    <ModalDialog role="alertdialog" labelledBy={`${id}-title`} describedBy={`${id}-text`} onClose={onClose}>
      <div className={styles.words}>
        <span className={styles.icon} data-kind={alert.kind}>
          <Icon name={icons[alert.kind]} />
        </span>
        <h2 id={`${id}-title`}>{alert.title}</h2>
        <div id={`${id}-text`}>
          {alert.text && <p>{alert.text}</p>}
          {alert.footer && <p className={styles.footer}>{alert.footer}</p>}
        </div>
      </div>
      <Button variant="primary" wide autoFocus onClick={onClose}>
        {uiCopy.accept}
      </Button>
    </ModalDialog>
  );
}
