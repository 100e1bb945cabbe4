import { Icon } from '@aparta/ui/icon.tsx';
import { useEffect, useEffectEvent } from 'react';
import { devicesCopy } from './copy.ts';
import styles from './devices.module.css';

const copy = devicesCopy.enter;
const LENGTH = 6;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', 'erase'] as const;

/** Six digits, by touch or by keyboard. No text field: nothing offers to keep them. */
export function PinPad({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const press = (key: string) => {
    if (key === 'erase') onChange(value.slice(0, -1));
    else if (value.length < LENGTH) onChange(value + key);
  };
  const typedKey = useEffectEvent(press);
  useEffect(() => {
    const typed = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey) return;
      if (/^\d$/.test(key)) typedKey(key);
      else if (key === 'Backspace') typedKey('erase');
    };
    addEventListener('keydown', typed);
    return () => removeEventListener('keydown', typed);
  }, []);
  return (
    <div className={styles.pad}>
      <p className={styles.dots} role="status" aria-label={copy.digits(value.length)}>
        {Array.from({ length: LENGTH }, (_, at) => (
          <span key={at} className={styles.dot} data-full={at < value.length || undefined} />
        ))}
      </p>
      <div className={styles.keys}>
        {KEYS.map((key) =>
          key === '' ? (
            <span key="empty" />
          ) : (
            <button
              key={key}
              type="button"
              className={styles.key}
              aria-label={key === 'erase' ? copy.erase : undefined}
              onClick={() => press(key)}
            >
              {key === 'erase' ? <Icon name="back" /> : key}
            </button>
          ),
        )}
      </div>
    </div>
  );
}
