/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Changes with what is kept of answers; absent in tests. */
  readonly SEEN_SHAPE?: string;
}
