import { LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import { Button } from '@aparta/ui/button.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { countQuery } from '../data/purchase-lists.ts';
import { listCopy } from './list-copy.ts';
import styles from './filter-menu.module.css';

const copy = listCopy.list;
const options: readonly ListFilter[] = Object.values(LIST_FILTERS);

/** Spec §2's filter popup: four options with the number of purchases in each, counted when it opens. */
export function FilterMenu({
  buyerId,
  value,
  onChange,
}: {
  buyerId: number;
  value: ListFilter;
  onChange: (filter: ListFilter) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  function close() {
    setOpen(false);
    opener.current?.focus();
  }

  return (
    <div
      className={styles.filter}
      ref={place}
      onBlur={(event) => {
        // When Tab moves on, close the menu.
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <Button
        ref={opener}
        icon="filter"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span>
          <span className={text.srOnly}>{copy.filtered}</span> {copy.filters[value]}
        </span>
        <Icon name="down" small />
      </Button>
      {open && (
        <Menu
          id={id}
          buyerId={buyerId}
          value={value}
          onClose={close}
          onPick={(filter) => {
            close();
            if (filter !== value) onChange(filter);
          }}
        />
      )}
    </div>
  );
}

function Menu({
  id,
  buyerId,
  value,
  onPick,
  onClose,
}: {
  id: string;
  buyerId: number;
  value: ListFilter;
  onPick: (filter: ListFilter) => void;
  onClose: () => void;
}) {
  const items = useRef<HTMLDivElement>(null);
  useEffect(() => items.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus(), []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.preventDefault();
      return onClose();
    }
    const all = [...(items.current?.querySelectorAll('button') ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all.at(to % all.length)?.focus();
  }

  return (
    <div
      id={id}
      ref={items}
      role="menu"
      tabIndex={-1}
      aria-label={copy.filter}
      className={styles.menu}
      onKeyDown={onKeyDown}
    >
      {options.map((filter) => (
        <button
          key={filter}
          type="button"
          role="menuitemradio"
          aria-checked={filter === value}
          tabIndex={-1}
          className={styles.item}
          onClick={() => onPick(filter)}
        >
          <Icon name="check" small />
          {copy.filters[filter]}
          <Count buyerId={buyerId} filter={filter} />
        </button>
      ))}
    </div>
  );
}

function Count({ buyerId, filter }: { buyerId: number; filter: ListFilter }) {
  const { data: count } = useQuery(countQuery(buyerId, filter));
  return typeof count === 'number' && <span className={styles.count}>{count}</span>;
}
