import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What stands between a program and another, such as its database, and loses what it is told to lose. */
export interface Relay {
  /** The other's address, by way of this. */
  readonly url: string;
  /** Nothing passes any more, and nobody is told. */
  setSilent(isSilent: boolean): void;
  /** Nothing passes any more once `text` comes. */
  silenceAt(text: string): Promise<void>;
  /** All connections end, and new ones end at once. */
  setDown(isDown: boolean): void;
  /** All connections end, and new ones are taken. */
  cut(): void;
  /** Ends the connection over which `text` comes next, before or after it has passed. */
  cutAt(text: string, when: 'before' | 'after'): void;
  close(): Promise<void>;
}

export async function openRelay(targetUrl: string): Promise<Relay> {
  const target = new URL(targetUrl);
  let isSilent = false;
  let isDown = false;
  let silence: { text: string; begun: () => void } | undefined;
  let cut: { text: string; when: 'before' | 'after' } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    let isMute = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => {
      if (silence !== undefined && chunk.includes(silence.text)) {
        isSilent = true;
        silence.begun();
        silence = undefined;
      }
      if (isSilent) return;
      const isCut = cut !== undefined && chunk.includes(cut.text);
      if (isCut && cut?.when === 'before') near.destroy();
      else far.write(chunk);
      if (!isCut) return;
      isMute = true;
      cut = undefined;
    });
    far.on('data', (chunk) => {
      if (isMute) near.destroy();
      else if (!isSilent) near.write(chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.port = String((server.address() as AddressInfo).port);
  url.searchParams.delete('host'); // else the client goes by the socket
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    setSilent: (given) => (isSilent = given),
    silenceAt: (text) => new Promise((begun) => (silence = { text, begun })),
    setDown(given) {
      isDown = given;
      if (isDown) endAll();
    },
    cut: endAll,
    cutAt: (text, when) => (cut = { text, when }),
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
