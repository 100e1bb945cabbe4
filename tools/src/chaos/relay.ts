import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire between a caller and a port of this machine. */
export interface Relay {
  readonly port: number;
  /** Takes calls and says nothing, until it is told to pass. */
  mute(): void;
  pass(): void;
  /** Ends every connection that is open. */
  cut(): void;
  close(): void;
}

export async function openRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isMute = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((caller) => {
    keep(caller);
    if (isMute) return;
    const there = connect(target, '127.0.0.1');
    keep(there);
    caller.pipe(there).pipe(caller);
    caller.on('close', () => there.destroy());
    there.on('close', () => caller.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    mute() {
      isMute = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    pass() {
      isMute = false;
      cut();
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}
