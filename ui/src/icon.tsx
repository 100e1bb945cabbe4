import styles from './icon.module.css';

/** One path each, drawn with a stroke on a 24 × 24 grid. */
const paths = {
  active: 'M4.5 12a7.5 7.5 0 1 0 15 0 7.5 7.5 0 1 0-15 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  back: 'M19.5 12h-15M11 5.5 4.5 12l6.5 6.5',
  calendar:
    'M6 5.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2ZM4 10.5h16M8 3.5v4M16 3.5v4',
  camera:
    'M5 7.5h2.5L9 5h6l1.5 2.5H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V9.5a2 2 0 0 1 2-2ZM8.5 13a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0',
  card: 'M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM3 10h18M7 15h3',
  cancelled: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M8 12h8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M10.5 8.5H18a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-7.5a2 2 0 0 1 2-2ZM5.5 15.5A1.5 1.5 0 0 1 4 14V5.5A1.5 1.5 0 0 1 5.5 4H14a1.5 1.5 0 0 1 1.5 1.5',
  down: 'm5.5 9 6.5 6.5L18.5 9',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  eyeOff:
    'M9.5 5.9c.8-.3 1.6-.4 2.5-.4 6 0 9.5 6.5 9.5 6.5s-1 1.9-2.9 3.6M6.3 7.4C3.8 9.2 2.5 12 2.5 12s3.5 6.5 9.5 6.5c1.9 0 3.5-.6 4.9-1.5M9.9 9.9a3 3 0 0 0 4.2 4.2M4 4l16 16',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  flag: 'M5.5 21V4M5.5 4.5c4-2 7 2 13 0v9c-6 2-9-2-13 0',
  home: 'M3.5 10.8 12 4l8.5 6.8V19a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 19ZM9.5 20.5v-6h5v6',
  info: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M12 11v5M12 7.8v.01',
  invoice: 'M6 3.5h8.5L19 8v12.5H6ZM14 3.5V8.5h5M9 13h7M9 16.5h5',
  lock: 'M7 10.5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2ZM8 10.5V8a4 4 0 0 1 8 0v2.5',
  mail: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM3.5 7l8.5 6.5L20.5 7',
  next: 'm9 5.5 6.5 6.5L9 18.5',
  paste:
    'M9 4.5H7A1.5 1.5 0 0 0 5.5 6v13A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V6A1.5 1.5 0 0 0 17 4.5h-2M9 3h6v3.5H9Z',
  payments: 'M5.5 3.5h13v17l-2.17-1.5-2.16 1.5L12 19l-2.17 1.5L7.67 19 5.5 20.5ZM9 8.5h6M9 12.5h6',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6Z',
  photo:
    'M6 4.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2ZM4 16l4.5-4.5 4 4 2.5-2.5 5 5M14.5 9a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  qr: 'M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2.5v2.5M20 14v2M17 20h3v-2M14 20v-1',
  retry: 'M20 11.5A8 8 0 0 0 5.7 7M5 3.5V7.5h4M4 12.5A8 8 0 0 0 18.3 17M19 20.5v-4h-4',
  save: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  share: 'M12 15V4M8 7.5l4-4 4 4M5.5 11.5V19A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5v-7.5',
  store:
    'M4 9.5 5.5 4h13L20 9.5a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-5.4 0 2.7 2.7 0 0 1-5.3 0ZM5.5 12.5V20h13v-7.5M9.5 20v-4.5h5V20',
  tag: 'M12.5 3.5h6a2 2 0 0 1 2 2v6l-8.6 8.6a2 2 0 0 1-2.8 0l-5.2-5.2a2 2 0 0 1 0-2.8ZM16.5 7.5h.01',
  warning: 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17v.01',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside its word. It is hidden from screen readers: the word says what it means. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg
      className={small ? styles.small : styles.icon}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
