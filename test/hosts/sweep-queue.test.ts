/**
 * A sweep over several hosts: workers as processes of their own at a Redis. A worker that is killed loses nothing, a
 * job that ran twice counts once, and the set is that of threads on one machine. Needs `redis-server`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import type { SweepDocument } from '../../src/report/index.ts';
import { queueRunner, sweepConfiguration } from '../../src/research/sweep/index.ts';
import { Processes, until } from '../support/processes.ts';
import { sweepScene } from '../support/sweep-scene.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const scene = sweepScene(6);
const SETUP = {
  ...{ configText: '', configFile: scene.config, tape: scene.tape, seed: 3 },
  ...{ codeHash: '', tapeHash: '' },
};
const processes = new Processes();
let url: string;
let stopRedis: () => Promise<void> = async () => undefined;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

beforeAll(async () => {
  if (!hasRedis) return;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'ballast-redis-'));
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    folder,
  ]);
  url = `redis://127.0.0.1:${port}`;
  stopRedis = async () => {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true });
  };
  const client = new Redis(url, { retryStrategy: (times) => Math.min(times * 50, 500) });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
});
afterAll(async () => {
  await processes.endAll();
  await stopRedis();
  scene.remove();
});

const sweep = (out: string, isQueued: boolean): Promise<SweepDocument> =>
  sweepConfiguration({
    ...{
      source: loadConfig(scene.config),
      tape: scene.tape,
      out: join(scene.folder, out),
      seed: 3,
      workers: 2,
    },
    ...(isQueued ? { runnerOf: (setup) => queueRunner(url, setup) } : {}),
  });

describe.runIf(hasRedis)('a sweep over a queue', () => {
  test('gives the set of one machine, though a worker is killed in the middle of a job', async () => {
    const doomed = processes.ballast(['worker', '--redis', url, '--workers', '1']);
    const queued = sweep('queued', true);
    const client = new Redis(url);
    // Killed as soon as it has a job, before anybody else could take one.
    await until('a job that runs', async () => (await client.llen('bull:ballast-sweep:active')) > 0, {
      withinMs: 20_000,
    });
    await doomed.kill();
    expect(await client.llen('bull:ballast-sweep:active')).toBe(1);
    const worker = processes.ballast(['worker', '--redis', url, '--workers', '2', '--json']);
    const document = await queued;
    expect(document).toEqual(await sweep('threads', false));
    expect(document.rows.every(({ error }) => error === null)).toBe(true);
    worker.signalAll('SIGTERM');
    expect(await worker.toEnd(10_000)).toMatchObject({ code: 143 });
    // Six combinations and one test part, each once.
    expect(worker.document()).toEqual({ done: 7 });
    client.disconnect();
  }, 180_000);

  test('finds its results in the queue again after the sweep itself was lost', async () => {
    // No worker runs: everything that is asked for was done before.
    expect(await sweep('again', true)).toEqual(await sweep('threads', false));
  }, 60_000);

  test('error: a Redis that is not there is named', async () => {
    await expect(queueRunner('redis://127.0.0.1:1', SETUP)).rejects.toMatchObject({
      code: 'SWEEP_QUEUE_UNREACHABLE',
    });
  });
});
