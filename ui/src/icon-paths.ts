/** One stroked path each, on a 24 × 24 grid. These are what the first load draws; the others are in `more-icons.ts`. */
export const firstIcons = {
  back: 'M19.5 12h-15M11 5.5 4.5 12l6.5 6.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  clock: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  eyeOff:
    'M9.5 5.9c.8-.3 1.6-.4 2.5-.4 6 0 9.5 6.5 9.5 6.5s-1 1.9-2.9 3.6M6.3 7.4C3.8 9.2 2.5 12 2.5 12s3.5 6.5 9.5 6.5c1.9 0 3.5-.6 4.9-1.5M9.9 9.9a3 3 0 0 0 4.2 4.2M4 4l16 16',
  info: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M12 11v5M12 7.8v.01',
  retry: 'M20 11.5A8 8 0 0 0 5.7 7M5 3.5V7.5h4M4 12.5A8 8 0 0 0 18.3 17M19 20.5v-4h-4',
  warning: 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17v.01',
} as const;

/** By their names, as far as they are loaded. */
export const iconPaths: Record<string, string> = { ...firstIcons };
