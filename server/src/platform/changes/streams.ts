import type { ServerResponse } from 'node:http';
import type { Log } from '../logging.ts';
import { Refusal } from '../refusal.ts';
import type { Topic } from './announce.ts';
import { openListener, type Listener } from './listener.ts';

/** How often streams are looked at, when each shows that it lives, and until when it does. */
export const STREAM_WAITS = { streamTickMs: 1_000, streamBeatMs: 20_000, streamLifeMs: 10 * 60_000 };
/** After a gap all are told, so many in a second: all at once would ask at once. */
const ASKED_PER_MS = 0.2;
/** More than a buyer has screens in sight. */
const MOST_EACH = 6;
/** While nothing was heard for so long, streams would promise too much: whoever has one asks by themselves. */
const MOST_DEAF_MS = 15_000;
/** Who reads nothing is not written to for ever. */
const MOST_UNREAD_BYTES = 4_096;
const FULL_FOR_S = 60;
const DEAF_FOR_S = 15;

export interface StreamOptions {
  readonly databaseUrl: string;
  readonly log: Log;
  /** Most streams of this server. */
  readonly most: number;
  readonly waits: typeof STREAM_WAITS;
}

/** Whose stream it is. */
interface Reader {
  readonly topic: Topic;
  /** Whether the session that opened it still is one. */
  readonly isAlive: () => Promise<boolean>;
}

interface Stream extends Reader {
  readonly response: ServerResponse;
  beatAt: number;
  readonly endsAt: number;
}

/** The open streams of one server, by which screens hear that they should ask again. */
export interface Streams {
  /**
   * Lets a reader in; what it gives writes to their open response. Refuses with TOO_MANY where they, or the server, have as many
   * as may be, and with UNAVAILABLE while nothing can be heard.
   */
  open(reader: Reader): (response: ServerResponse) => void;
  vitals(): { readonly open: number; readonly deafMs: number };
  stop(): Promise<void>;
}

/** Opens no connection before the first stream is. */
export function openStreams({ databaseUrl, log, most, waits }: StreamOptions): Streams {
  const { streamTickMs: tickMs, streamBeatMs: beatMs, streamLifeMs: lifeMs } = waits;
  const streams = new Set<Stream>();
  const byTopic = new Map<string, Set<Stream>>();
  let listener: Listener | undefined;
  const timer = setInterval(tick, tickMs).unref();

  const deafMs = () => listener?.deafMs() ?? 0;

  function listen(): void {
    listener ??= openListener({
      databaseUrl,
      log,
      onTopics(topics) {
        for (const topic of topics)
          for (const stream of byTopic.get(topic) ?? []) write(stream, 'data: changed\n\n');
      },
      onGap() {
        let place = 0;
        for (const stream of streams)
          setTimeout(() => write(stream, 'data: changed\n\n'), (place += 1) / ASKED_PER_MS).unref();
      },
    });
  }

  function write(stream: Stream, text: string): void {
    if (stream.response.writableLength > MOST_UNREAD_BYTES) stream.response.destroy();
    else if (!stream.response.writableEnded) stream.response.write(text);
  }

  /** Beats for those whose time it is, a few in each tick, and ends those whose session or time is over. */
  function tick(): void {
    const now = performance.now();
    const isDeaf = deafMs() > MOST_DEAF_MS;
    for (const stream of streams) {
      if (isDeaf || now > stream.endsAt) stream.response.end();
      else if (now > stream.beatAt) void beat(stream, now);
    }
  }

  async function beat(stream: Stream, now: number): Promise<void> {
    stream.beatAt = now + beatMs;
    write(stream, ':\n\n');
    // An outage ends nobody's session.
    const isAlive = await stream.isAlive().catch(() => true);
    if (!isAlive) stream.response.end();
  }

  return {
    open({ topic, isAlive }) {
      if (deafMs() > MOST_DEAF_MS) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: DEAF_FOR_S });
      const theirs = byTopic.get(topic)?.size ?? 0;
      if (streams.size >= most || theirs >= MOST_EACH)
        throw new Refusal('TOO_MANY', { retryAfterSeconds: FULL_FOR_S });
      listen();
      return (response) => {
        const now = performance.now();
        const endsAt = now + lifeMs * (1 + Math.random() / 2);
        const stream: Stream = { topic, isAlive, response, beatAt: now + beatMs * Math.random(), endsAt };
        streams.add(stream);
        const same = byTopic.get(topic) ?? new Set();
        byTopic.set(topic, same.add(stream));
        response.once('close', () => {
          streams.delete(stream);
          same.delete(stream);
          if (same.size === 0 && byTopic.get(topic) === same) byTopic.delete(topic);
        });
        write(stream, ':\n\n');
      };
    },
    vitals: () => ({ open: streams.size, deafMs: deafMs() }),
    async stop() {
      clearInterval(timer);
      await listener?.stop();
    },
  };
}
