import { Component, type ReactNode } from 'react';
import { Failed } from '../ui/failed.tsx';
import { appCopy } from './copy.ts';

/** The last net: a screen that could not be drawn or downloaded offers a fresh start. (React has no hook for this.) */
export class Broken extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main>
        <Failed {...appCopy.broken} onRetry={() => location.reload()} />
      </main>
    );
  }
}
