import { deviceStorage } from '@aparta/browser/storage.ts';

// Ours, on the device: the tab may be closed first.
const ENDED = 'salidas';

/** Sessions that were left here and may live on at the server: the SHA-256 of each token, in base64, which signs nobody in. */
export const ended = {
  all: () => deviceStorage.get(ENDED)?.split(' ') ?? [],
  add: (hash: string) => deviceStorage.set(ENDED, [...ended.all(), hash].join(' ')),
  remove(hash: string) {
    const others = ended.all().filter((other) => other !== hash);
    if (others.length > 0) deviceStorage.set(ENDED, others.join(' '));
    else deviceStorage.remove(ENDED);
  },
};
