import { env } from 'node:process';

/**
 * What a Node that gets settings of its own still has from ours: the code that was compiled, which spares it a second, and where its
 * library is if the system has none.
 */
export const nodeEnvironment = {
  NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'],
  LD_LIBRARY_PATH: env['LD_LIBRARY_PATH'],
};
