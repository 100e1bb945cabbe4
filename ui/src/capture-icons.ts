import { iconPaths } from './icon-paths.ts';

/** What few screens draw: those that take a photo, or what was copied. Whoever imports this file can draw them. */
const captureIcons = {
  camera:
    'M5 7.5h2.5L9 5h6l1.5 2.5H19a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V9.5a2 2 0 0 1 2-2ZM8.5 13a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0',
  paste:
    'M9 4.5H7A1.5 1.5 0 0 0 5.5 6v13A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V6A1.5 1.5 0 0 0 17 4.5h-2M9 3h6v3.5H9Z',
  photo:
    'M6 4.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2ZM4 16l4.5-4.5 4 4 2.5-2.5 5 5M14.5 9a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
} as const;

export type CaptureIcons = keyof typeof captureIcons;

Object.assign(iconPaths, captureIcons);
