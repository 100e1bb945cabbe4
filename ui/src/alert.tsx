import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { AlertDialog } from './alert-dialog.tsx';

/** The spec's alerts are title / text / kind (spec §8), one of them with a footer (spec §5). */
export type AlertText = {
  kind: 'success' | 'warning' | 'error' | 'info';
  title: string;
  text?: string;
  footer?: string;
};

type ShowAlert = (alert: AlertText) => Promise<void>;

const AlertContext = createContext<ShowAlert | undefined>(undefined);

type Dialog = typeof AlertDialog;
let dialog: Dialog | undefined;

/** Comes with the first screen, after it; rejects where it cannot be fetched, and may be asked again. */
async function loadDialog(): Promise<Dialog> {
  dialog ??= (await import('./alert-dialog.tsx')).AlertDialog;
  return dialog;
}

/** Renders the app's one alert dialog, above every screen. Alerts shown at the same time queue up. */
export function AlertHost({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<{ alert: AlertText; close: () => void }[]>([]);
  const [showAlert] = useState<ShowAlert>(() => async (alert: AlertText) => {
    // Without the dialog the browser's own says it: what happened is never left out.
    if (!dialog && !(await loadDialog().catch(() => undefined)))
      return window.alert([alert.title, alert.text, alert.footer].filter(Boolean).join('\n'));
    return new Promise<void>((resolve) => {
      const entry = {
        alert,
        close: () => {
          setQueue((waiting) => waiting.filter((other) => other !== entry));
          resolve();
        },
      };
      setQueue((waiting) => [...waiting, entry]);
    });
  });
  useEffect(() => void loadDialog().catch(() => {}), []);
  const first = queue[0];
  const Shown = dialog;
  return (
    <AlertContext value={showAlert}>
      {children}
      {first && Shown && <Shown alert={first.alert} onClose={first.close} />}
    </AlertContext>
  );
}

/** Shows an alert and resolves once the buyer has closed it: `await showAlert(alert); navigate(…)`. */
export function useAlert(): ShowAlert {
  const showAlert = use(AlertContext);
  if (!showAlert) throw new Error('useAlert needs an AlertHost above it');
  return showAlert;
}
