import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { type Answer, answerWith, deliver } from '../answer.ts';
import type { Clock } from '../clock.ts';
import { read } from '../control.ts';
import type { Faults } from '../faults.ts';
import type { Table } from '../journal.ts';
import { checkSignature, decrypt, type Device, makeDevice, type Pushed } from './open-message.ts';

type Deps = {
  devices: Table<Device>;
  pushed: Table<Pushed>;
  faults: Faults;
  clock: Clock;
  closing: AbortSignal;
  /** Where the service is, which signatures name. */
  origin: () => string;
};

/** RFC 8030: what a push service has to take, and no more. */
const LARGEST = 4_096;
const deviceBody = v.object({ vapidKey: v.optional(v.nullable(v.string()), null) });
const refused = (status: number, message: string): Answer => ({ status, body: { message } });

/** The push service: addresses of browsers, and what was pushed to each, opened with its keys. */
export function mountPush(app: FastifyInstance, { devices, pushed, faults, clock, closing, origin }: Deps) {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post<{ Params: { id: string } }>('/push/:id', async (request, reply) => {
    const { headers, body } = request;
    const work = () => take(request.params.id, headers as Record<string, string | undefined>, body);
    const between = { undone: refused(500, 'INTERNAL'), held: faults.held, closing };
    await deliver(reply, await answerWith(faults.take('push'), work, between), closing);
  });

  function take(id: string, headers: Record<string, string | undefined>, body: unknown): Answer {
    const device = devices.get(id);
    if (device === undefined) return refused(404, 'no such address');
    if (device.isGone) return refused(410, 'gone');
    const signed = checkSignature(headers['authorization'], { origin: origin(), now: clock.now() });
    if (!signed.isGood) return refused(401, signed.problem);
    if (device.vapidKey !== null && device.vapidKey !== signed.key) return refused(403, 'another key');
    const ttl = Number(headers['ttl']);
    if (!Number.isInteger(ttl) || ttl < 0) return refused(400, 'no TTL');
    if (headers['content-encoding'] !== 'aes128gcm' || !Buffer.isBuffer(body))
      return refused(400, 'not encrypted');
    if (body.length > LARGEST) return refused(413, 'too large');
    try {
      const message = JSON.parse(decrypt(device, body)) as unknown;
      const at = new Date(clock.now()).toISOString();
      pushed.put({ id: randomUUID(), device: id, at, ttl, contact: signed.contact, message });
    } catch {
      return refused(400, 'not for this browser');
    }
    devices.put({ ...device, vapidKey: signed.key });
    return { status: 201, body: {} };
  }

  // A browser as it registers: what it tells the product.
  app.post('/control/push/devices', (request, reply) => {
    const given = read(deviceBody, request.body, reply);
    if (given === undefined) return reply;
    const { id, publicKey, auth } = devices.put(makeDevice(given.vapidKey));
    return { id, endpoint: `${origin()}/push/${id}`, p256dh: publicKey, auth };
  });
  app.post<{ Params: { id: string } }>('/control/push/devices/:id/gone', (request, reply) => {
    const device = devices.get(request.params.id);
    if (device === undefined) return reply.code(404).send({ message: 'no such device' });
    devices.put({ ...device, isGone: true });
    return {};
  });
  app.get<{ Params: { id: string } }>('/control/push/devices/:id', (request) => ({
    pushed: pushed.all().filter(({ device }) => device === request.params.id),
  }));
}
