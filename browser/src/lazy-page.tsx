import { lazy, useState, type ComponentType } from 'react';

type Module<Props> = { default: ComponentType<Props> };

/**
 * A screen whose code is loaded on demand, or earlier by `preload`. Once loaded (`load` resolves) it renders
 * without suspending.
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
        // Lets the next attempt fetch again.
        module = undefined;
        failed = true;
        throw error;
      },
    );
    return module;
  }

  let Later = lazy(download);
  /** React caches the failure, or it would retry forever; the next intent creates a new one. */
  function preload(): void {
    if (failed) Later = lazy(download);
    failed = false;
    void download().catch(() => {});
  }

  function Page(props: Props) {
    // Chosen once per mount: switching would lose what was typed.
    const [Chosen] = useState<ComponentType<Props>>(
      () => loaded ?? (Later as unknown as ComponentType<Props>),
    );
    return <Chosen {...props} />;
  }
  return Object.assign(Page, { load: download, preload });
}
