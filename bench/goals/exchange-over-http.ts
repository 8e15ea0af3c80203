/**
 * @module
 * G15: the embedded exchange over HTTP beside a bare server with the same signature back end: signed requests a second
 * on eight connections, single orders and batches of ten. Servers and client have a process each.
 */
import { Client } from 'undici';
import { SystemClock } from '../../src/core/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { Child } from '../child.ts';
import { type GroupResult, type Limit, reached } from '../goal.ts';
import { type Effort, inTurn, rounded, Samples } from '../measure.ts';
import { showTable } from '../show.ts';
import { BATCH, type FundedWallet, openScene, type SignedWrite, signedWrites } from '../signed-writes.ts';

const CONNECTIONS = 8;
/** Of one connection in one round. */
const WRITES = 250;
/** So many of them before it is the other server's turn: whatever else the machine does hits both. */
const WRITES_A_TURN = 25;
/** The compiler of the servers is at work until then. */
const WARM_UP_ROUNDS = 5;
const HEADERS = { 'content-type': 'application/json' };
const BARE = 'bare server';
const OURS = 'embedded exchange';
const SINGLE_LIMIT: Limit = {
  id: 'G15',
  what: 'signed writes of one order a second over HTTP, to the bare server',
  limit: 0.6,
  better: 'higher',
};
const BATCH_LIMIT: Limit = {
  id: 'G15.batch',
  what: `signed writes of ${BATCH} orders a second over HTTP, to the bare server`,
  limit: 0.6,
  better: 'higher',
};

interface Server {
  readonly name: string;
  readonly child: Child;
  readonly clients: readonly Client[];
}

/** Measures G15. */
export async function exchangeOverHttp({ rounds }: Effort): Promise<GroupResult> {
  const crypto = await loadCrypto();
  // The same exchange once more: it draws the same keys, here they sign.
  const { wallets } = openScene(crypto, new SystemClock(), { count: CONNECTIONS, checksSignatures: true });
  const servers = [await start(BARE, 'bare-exchange'), await start(OURS, 'exchange-server')];
  const single = new Samples();
  const batched = new Samples();
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round++) {
    for (const [samples, batch] of [[single, 1] as const, [batched, BATCH] as const]) {
      const writes = wallets.map((wallet: FundedWallet) => signedWrites(wallet, WRITES, batch));
      const tookUs = await timesOf(servers, writes);
      if (round < WARM_UP_ROUNDS) continue;
      for (const [at, { name }] of servers.entries()) samples.add(name, tookUs[at] ?? Number.NaN);
    }
  }
  for (const { child, clients } of servers) {
    await Promise.all(clients.map((client) => client.destroy()));
    child.stop();
  }
  showTable('G15 a signed write of one order over HTTP', single.rows(BARE));
  showTable(`G15 a signed write of ${BATCH} orders over HTTP`, batched.rows(BARE));
  return {
    goals: [reached(SINGLE_LIMIT, single.ratio(BARE, OURS)), reached(BATCH_LIMIT, batched.ratio(BARE, OURS))],
    figures: Object.fromEntries(
      [BARE, OURS].flatMap((name) => [
        [`G15 ${name}, signed requests/s`, rounded(1e6 / single.median(name))],
        [`G15 ${name}, orders/s in batches`, rounded((1e6 * BATCH) / batched.median(name))],
      ]),
    ),
  };
}

async function start(name: string, file: string): Promise<Server> {
  const child = new Child(new URL(`../servers/${file}.ts`, import.meta.url));
  const port = file === 'exchange-server' ? await child.ask<number>(CONNECTIONS) : await child.next<number>();
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new Client(`http://127.0.0.1:${port}`, { keepAliveTimeout: 60_000 }),
  );
  return { name, child, clients };
}

/** Microseconds a write at each server: each connection carries one wallet's writes, one after the other. */
async function timesOf(
  servers: readonly Server[],
  writes: readonly (readonly SignedWrite[])[],
): Promise<readonly number[]> {
  const tookMs = servers.map(() => 0);
  for (let from = 0, turn = 0; from < WRITES; from += WRITES_A_TURN, turn++) {
    const part = writes.map((stream) => stream.slice(from, from + WRITES_A_TURN));
    for (const server of inTurn(servers, turn)) {
      const beganAtMs = performance.now();
      await Promise.all(server.clients.map((client, at) => send(client, part[at] ?? [])));
      const at = servers.indexOf(server);
      tookMs[at] = (tookMs[at] ?? 0) + performance.now() - beganAtMs;
    }
  }
  return tookMs.map((ms) => (ms * 1000) / (CONNECTIONS * WRITES));
}

/** Every write must be executed: a refusal would be quick. */
async function send(client: Client, writes: readonly SignedWrite[]): Promise<void> {
  for (const { path, body } of writes) {
    const answer = await client.request({ method: 'POST', path, headers: HEADERS, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`expected an executed write, got ${text.slice(0, 300)}`);
  }
}
