import { iconPaths } from './icon-paths.ts';

/** What signed-in screens draw beside the first icons. Whoever imports this file can draw them. */
const moreIcons = {
  cancelled: 'M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0M8 12h8',
  active: 'M4.5 12a7.5 7.5 0 1 0 15 0 7.5 7.5 0 1 0-15 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  calendar:
    'M6 5.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2ZM4 10.5h16M8 3.5v4M16 3.5v4',
  card: 'M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2ZM3 10h18M7 15h3',
  copy: 'M10.5 8.5H18a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-7.5a2 2 0 0 1 2-2ZM5.5 15.5A1.5 1.5 0 0 1 4 14V5.5A1.5 1.5 0 0 1 5.5 4H14a1.5 1.5 0 0 1 1.5 1.5',
  down: 'm5.5 9 6.5 6.5L18.5 9',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  flag: 'M5.5 21V4M5.5 4.5c4-2 7 2 13 0v9c-6 2-9-2-13 0',
  home: 'M3.5 10.8 12 4l8.5 6.8V19a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 19ZM9.5 20.5v-6h5v6',
  invoice: 'M6 3.5h8.5L19 8v12.5H6ZM14 3.5V8.5h5M9 13h7M9 16.5h5',
  lock: 'M7 10.5h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2ZM8 10.5V8a4 4 0 0 1 8 0v2.5',
  mail: 'M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM3.5 7l8.5 6.5L20.5 7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  next: 'm9 5.5 6.5 6.5L9 18.5',
  payments: 'M5.5 3.5h13v17l-2.17-1.5-2.16 1.5L12 19l-2.17 1.5L7.67 19 5.5 20.5ZM9 8.5h6M9 12.5h6',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6Z',
  qr: 'M4 4h6v6H4ZM14 4h6v6h-6ZM4 14h6v6H4ZM14 14h2.5v2.5M20 14v2M17 20h3v-2M14 20v-1',
  save: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  share: 'M12 15V4M8 7.5l4-4 4 4M5.5 11.5V19A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5v-7.5',
  store:
    'M4 9.5 5.5 4h13L20 9.5a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-5.4 0 2.7 2.7 0 0 1-5.3 0ZM5.5 12.5V20h13v-7.5M9.5 20v-4.5h5V20',
  tag: 'M12.5 3.5h6a2 2 0 0 1 2 2v6l-8.6 8.6a2 2 0 0 1-2.8 0l-5.2-5.2a2 2 0 0 1 0-2.8ZM16.5 7.5h.01',
} as const;

export type MoreIcons = keyof typeof moreIcons;

Object.assign(iconPaths, moreIcons);
