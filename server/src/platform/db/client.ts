import pg from 'pg';

/**
 * The class of a pool's clients. One that waits for an answer for `silenceMs` gives its connection up; 0: never. It has one timer
 * for all that it waits for.
 *
 * Its promises are its own: `pg` sets the callback of a query that it has already made, for its promises and for its time-outs,
 * and V8 then keeps every row that was read until a full collection (seen with pg 8.23 and Node 24).
 */
export function clientClass(silenceMs: number): typeof pg.Client {
  return class extends pg.Client {
    #silence: NodeJS.Timeout | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const answered = () => {
        clearTimeout(this.#silence);
        this.#silence = undefined;
      };
      this.on('drain', answered);
      this.on('end', answered);
    }

    // `never` stands for the overloads, which a method cannot restate.
    override query(...asked: never[]): never {
      if (this.#silence !== undefined) this.#silence.refresh();
      // The connection alone keeps the process: one that is gone says no more that it is answered.
      else if (silenceMs > 0) this.#silence = setTimeout(() => this.#giveUp(), silenceMs).unref();
      const ask = super.query as (...all: unknown[]) => never;
      if (typeof asked.at(-1) === 'function') return ask.apply(this, asked);
      const answer = new Promise((resolve, reject) => {
        ask.call(this, ...asked, (error: Error | null, result: unknown) =>
          error === null ? resolve(result) : reject(error),
        );
      });
      // The trace of who asked says more than that of the socket.
      return answer.catch((error: Error) => {
        Error.captureStackTrace(error);
        throw error;
      }) as never;
    }

    #giveUp(): void {
      this.connection.stream.destroy(
        new Error(`read timeout: the database said nothing for ${silenceMs} ms`),
      );
    }
  };
}
