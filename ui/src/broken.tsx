import { Component, type ReactNode } from 'react';
import { uiCopy } from './copy.ts';
import { Failed } from './failed.tsx';
import styles from './broken.module.css';

/** As Chromium, Safari and Firefox say it. */
const DOWNLOAD_FAILED = /dynamically imported module|importing a module script failed/i;

type Props = {
  at?: string;
  /** What an application says in place of a buyer's words. */
  text?: string | undefined;
  children: ReactNode;
};
type State = { broken: boolean; waits: boolean; at: string | undefined };

/**
 * Error boundary: a screen that failed to render or download offers a fresh start. A change of `at` (the
 * location) resets it. (React has no hook for this.)
 */
export class Broken extends Component<Props, State> {
  override state: State = { broken: false, waits: false, at: undefined };

  static getDerivedStateFromError(): Partial<State> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { broken: false, waits: false, at };
  }

  /** Some browsers keep a download that failed, and ask no more; a page that was reloaded already leaves it to its reader. */
  override componentDidCatch(error: unknown): void {
    const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (DOWNLOAD_FAILED.test(String(error)) && navigator.onLine && loading?.type !== 'reload')
      location.reload();
  }

  /** Offline, a reload would end on the browser's error page, so it reloads once there is a connection. */
  retry = () => {
    if (navigator.onLine) return location.reload();
    this.setState({ waits: true });
    addEventListener('online', () => this.state.waits && location.reload(), { once: true });
  };

  override render() {
    if (!this.state.broken) return this.props.children;
    const { title, text, waiting } = uiCopy.broken;
    const Frame = this.props.at === undefined ? 'main' : 'div';
    return (
      <Frame className={styles.broken}>
        <Failed
          title={title}
          text={this.props.text ?? text}
          busy={this.state.waits ? waiting : undefined}
          onRetry={this.retry}
        />
      </Frame>
    );
  }
}
