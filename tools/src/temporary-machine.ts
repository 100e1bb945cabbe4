import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { type Postgres, startPostgres } from './postgres.ts';
import { query } from './query.ts';

/** A PostgreSQL of a test's own, with an empty database of a role that is no superuser, as an operator has it. */
export type Machine = {
  /** The shop's role and database. */
  url: string;
  /** Runs SQL as superuser, in the database `postgres`. */
  administer(statement: string): Promise<pg.QueryResultRow[]>;
  /** Ends the server at once, as a power cut would; what was committed is on its disk. */
  kill(): void;
  stop(): Promise<void>;
};

const PASSWORD = 'a@b:c/d%41'; // everything that an address has to escape
const SETTINGS = { fsync: 'off', full_page_writes: 'off' }; // the machine that runs the test does not lose power

export async function startMachine(dataDir: string, programs: string): Promise<Machine> {
  const machine = machineOf(dataDir, await startPostgres({ dataDir, programs, settings: SETTINGS }));
  await machine.administer(`create role shop login createrole password '${PASSWORD}'`);
  await machine.administer('create database shop owner shop');
  return machine;
}

/** A standby that follows `primary`, begun from a copy of it. */
export async function startStandby(dataDir: string, primary: Machine, programs: string): Promise<Machine> {
  const [row] = await primary.administer('show data_directory');
  const { password, port } = JSON.parse(
    fs.readFileSync(path.join(String(row?.['data_directory']), 'aparta-access.json'), 'utf8'),
  ) as { password: string; port: number };
  const { status, stderr } = spawnSync(
    path.join(programs, 'pg_basebackup'),
    ['--pgdata', dataDir, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'].concat([
      `--dbname=postgres://aparta:${password}@127.0.0.1:${port}/postgres?application_name=standby`,
    ]),
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return machineOf(dataDir, await startPostgres({ dataDir, programs, settings: SETTINGS }));
}

function machineOf(dataDir: string, postgres: Postgres): Machine {
  return {
    url: `postgres://shop:${encodeURIComponent(PASSWORD)}@127.0.0.1:${postgres.port}/shop`,
    administer: (statement) => query(postgres.url, statement),
    kill() {
      const [pid] = fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    },
    stop: postgres.stop,
  };
}
