import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { uiCopy } from './copy.ts';
import styles from './dialog.module.css';

/**
 * A sheet from the bottom on a phone, a centred dialog from 768 px. The native element keeps focus inside, the page
 * behind inert, closes by Esc and gives focus back. It is open while it is mounted: render it conditionally.
 */
export function Sheet({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <ModalDialog labelledBy={id} onClose={onClose}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label={uiCopy.close} onClick={onClose} />
      </div>
      {children}
    </ModalDialog>
  );
}

/** The bare modal under `Sheet` and the alert. Screens use those two. */
export function ModalDialog({
  role,
  labelledBy,
  describedBy,
  onClose,
  children,
}: {
  role?: 'alertdialog';
  labelledBy: string;
  describedBy?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const leave = useEffectEvent(onClose);
  const dismissible = role !== 'alertdialog';
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const before = document.activeElement;
    // Only the backdrop is the dialog itself: everything on the sheet is a descendant.
    const onClick = (event: MouseEvent) => {
      if (dismissible && event.target === dialog) leave();
    };
    // Esc: React takes it down, not the browser, so that what is open stays one truth.
    const onCancel = (event: Event) => {
      event.preventDefault();
      leave();
    };
    dialog.addEventListener('click', onClick);
    dialog.addEventListener('cancel', onCancel);
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.removeEventListener('click', onClick);
      dialog.removeEventListener('cancel', onCancel);
      dialog.close();
      // Closing by unmounting takes the element away before the browser can give focus back itself.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [dismissible]);

  return (
    <dialog
      ref={ref}
      className={styles.sheet}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <div className={styles.inside}>{children}</div>
    </dialog>
  );
}
