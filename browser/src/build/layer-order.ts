import type { Plugin } from 'vite';

/**
 * Prepends the layer order to every style sheet. Browsers take it from whichever sheet arrives first, which
 * depends on how the build splits chunks.
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
