import type { CameraProblem } from './camera.ts';

/** What the scanner says, in the words of the application that opens it. */
export interface ScanTexts {
  readonly title: string;
  readonly starting: string;
  readonly scanning: string;
  readonly light: string;
  readonly torchOn: string;
  readonly torchOff: string;
  /** What the picture is, for who does not see it. */
  readonly video: string;
  readonly photo: string;
  readonly photoBusy: string;
  readonly problems: Readonly<
    Record<CameraProblem | 'reader', { readonly title: string; readonly text: string }>
  >;
  readonly noCode: string;
  readonly noPhoto: string;
}
