import { useId } from 'react';
import type { AlertText } from './alert.tsx';
import { Button } from './button.tsx';
import { uiCopy } from './copy.ts';
import { ModalDialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import styles from './alert.module.css';

const icons = { success: 'check', warning: 'warning', error: 'warning', info: 'info' } as const;

export function AlertDialog({ alert, onClose }: { alert: AlertText; onClose: () => void }) {
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
      <Button variant="primary" wide onClick={onClose}>
        {uiCopy.accept}
      </Button>
    </ModalDialog>
  );
}
