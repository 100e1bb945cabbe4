import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

type Tab<Id extends string> = { id: Id; label: string; panel: ReactNode };

/** Tabs. Arrow keys move between them, as in any tab list. */
export function Tabs<Id extends string>({
  label,
  tabs,
  open,
  onOpen,
}: {
  label: string;
  tabs: readonly Tab<Id>[];
  open: Id;
  onOpen: (id: Id) => void;
}) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ id }) => id === open);
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || tab === undefined) return;
    event.preventDefault();
    onOpen(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }

  return (
    <>
      <div role="tablist" aria-label={label} className={styles.list} ref={list}>
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === open}
            aria-controls={id === open ? `${base}-${id}-panel` : undefined}
            tabIndex={id === open ? 0 : -1}
            className={styles.tab}
            onClick={() => onOpen(id)}
            onKeyDown={onKeyDown}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs
        .filter(({ id }) => id === open)
        .map(({ id, panel }) => (
          <div key={id} role="tabpanel" id={`${base}-${id}-panel`} aria-labelledby={`${base}-${id}`}>
            {panel}
          </div>
        ))}
    </>
  );
}
