import type { Plugin } from 'vite';

/**
 * Says the order of the cascade's layers at the head of every style sheet. A browser takes the order from whichever file
 * arrives first, and which one that is depends on how the build cuts its chunks.
 */
export function layerOrder(...layers: string[]): Plugin {
  return {
    name: 'layer-order',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css$/ },
      handler: (code) => `@layer ${layers.join(', ')};\n${code}`,
    },
  };
}
