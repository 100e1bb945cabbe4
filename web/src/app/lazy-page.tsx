import { lazy, useState, type ComponentType } from 'react';

type Module<Props> = { default: ComponentType<Props> };

/**
 * A screen whose code is downloaded when it is needed, or before, by `preload` (a link that is about to be followed).
 * Once it is there (`load` waits for that) it renders at once, without suspending.
 */
export function lazyPage<Props extends object>(load: () => Promise<Module<Props>>) {
  let module: Promise<Module<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  let failed = false;

  function download(): Promise<Module<Props>> {
    module ??= load().then(
      (there) => {
        loaded = there.default;
        return there;
      },
      (error: unknown) => {
        // The next try asks the network again.
        module = undefined;
        failed = true;
        throw error;
      },
    );
    return module;
  }

  let Later = lazy(download);
  /** React remembers a failure, or it would try for ever: the next intent is the next try. */
  function preload(): void {
    if (failed) Later = lazy(download);
    failed = false;
    void download().catch(() => {});
  }

  function Page(props: Props) {
    // Chosen once per visit: changing from one to the other would forget what was typed.
    const [Chosen] = useState<ComponentType<Props>>(
      () => loaded ?? (Later as unknown as ComponentType<Props>),
    );
    return <Chosen {...props} />;
  }
  return Object.assign(Page, { load: download, preload });
}
