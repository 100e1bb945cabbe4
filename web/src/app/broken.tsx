import { Failed } from '@aparta/ui/failed.tsx';
import { Component, type ReactNode } from 'react';
import styles from './broken.module.css';
import { appCopy } from './copy.ts';

type Props = { at?: string; children: ReactNode };
type State = { broken: boolean; waits: boolean; at: string | undefined };

/**
 * The last net: a screen that could not be drawn or downloaded offers a fresh start. Inside the frame of the app, `at` is
 * where its navigation stands: another place is another try. (React has no hook for this.)
 */
export class Broken extends Component<Props, State> {
  override state: State = { broken: false, waits: false, at: undefined };

  static getDerivedStateFromError(): Partial<State> {
    return { broken: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { broken: false, waits: false, at };
  }

  /** Without internet a reload would end on the browser's own page: it comes by itself when there is some. */
  retry = () => {
    if (navigator.onLine) return location.reload();
    this.setState({ waits: true });
    addEventListener('online', () => this.state.waits && location.reload(), { once: true });
  };

  override render() {
    if (!this.state.broken) return this.props.children;
    const Frame = this.props.at === undefined ? 'main' : 'div';
    return (
      <Frame className={styles.broken}>
        <Failed
          {...appCopy.broken}
          busy={this.state.waits ? appCopy.waiting : undefined}
          onRetry={this.retry}
        />
      </Frame>
    );
  }
}
