import { useEffect, useEffectEvent, useId, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { uiCopy } from './copy.ts';
import styles from './dialog.module.css';

/**
 * A bottom sheet on a phone, a centred dialog from 768 px. The native element traps focus, makes the page
 * inert, closes on Esc and restores focus. It is open while mounted: render it conditionally.
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
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label={uiCopy.close} onClick={onClose} />
      </div>
      {children}
    </ModalDialog>
  );
}

/** The acts of a sheet that may be taller than a phone. */
export function SheetFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>;
}

/** The modal that `Sheet` and the alert build on. Screens use those two. */
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
    const gone = new AbortController();
    const { signal } = gone;
    // A click on the backdrop targets the dialog itself; everything else is a descendant.
    dialog.addEventListener('click', ({ target }) => dismissible && target === dialog && leave(), { signal });
    // On Esc let React unmount it instead of the browser closing it, so that state and screen agree.
    dialog.addEventListener(
      'cancel',
      (event) => {
        event.preventDefault();
        leave();
      },
      { signal },
    );
    // An alert is closed without a way to its only button.
    dialog.addEventListener(
      'keydown',
      ({ key, target }) => !dismissible && key === 'Enter' && target === dialog && leave(),
      { signal },
    );
    let inside: EventTarget | null = null;
    dialog.addEventListener('focusin', ({ target }) => (inside = target), { signal });
    // Asked again and again, by Esc or Back, browsers close it all the same; a screen may have to keep it.
    dialog.addEventListener(
      'close',
      () => {
        if (dialog.open) return;
        const had = inside;
        dialog.showModal();
        if (had instanceof HTMLElement) had.focus();
        leave();
      },
      { signal },
    );
    if (!dialog.open) dialog.showModal();
    // Browsers begin at its first button, and who listens may hear that alone: here they hear what opened.
    dialog.tabIndex = -1;
    dialog.focus();
    // What has the focus may go while the dialog stays, such as a button that opens a form in its place.
    const parts = new MutationObserver(() => {
      if (inside instanceof Node && !inside.isConnected) takeFocus(dialog.querySelector('[tabindex="-1"]'));
    });
    parts.observe(dialog, { childList: true, subtree: true });
    return () => {
      gone.abort();
      parts.disconnect();
      dialog.close();
      // Unmounting removes the element before the browser can restore focus.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // The button that opened it may be gone.
      takeFocus(document.querySelector('h1[tabindex="-1"]'));
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

/** Gives a heading the focus if nothing has it, so that a screen reader goes on from there. */
function takeFocus(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true });
}
