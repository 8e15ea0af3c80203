/**
 * @module
 * Cuts at every byte: a write, a read, an upgrade and a frame are each broken after 0, 1, 2 … bytes of either way, by
 * FIN and by RST, over real sockets. What the client says of each is held against what happened at the exchange
 * (outcomes-and-receipts.md, O67, O71).
 */

import { classifyAnswer, type WriteClass } from '../../src/bot/execution/classify.ts';
import { readReceipt } from '../../src/bot/execution/receipt.ts';
import { must } from '../../src/core/index.ts';
import { ENDPOINTS, type Endpoint, type EndpointId } from '../../src/wire/protocol/index.ts';
import type { CutScene, ReadyWrite } from './cut-scene.ts';
import type { WriteName } from './cut-writes.ts';
import type { Cut, Ending, Passage } from './fault-proxy.ts';

/** What a section found. */
export interface CutCount {
  cases: number;
  readonly wrong: string[];
}

/** Which bytes: every one, or each `step`-th from `first`, and always the last ones. */
export interface CutSteps {
  readonly first: number;
  readonly step: number;
}

/** No answer of a loopback server takes as long: a client that waited was not told of the cut. */
const TOLD_MS_MAX = 4_000;
const TIMEOUT_MS = 5_000;
/** Both ways to end a connection. */
export const ENDINGS: readonly Ending[] = ['fin', 'rst'];
const WAYS = ['request', 'answer'] as const;

/** Cuts one kind of write at the bytes of `steps`. */
export async function cutWrites(
  scene: CutScene,
  name: WriteName,
  steps: CutSteps,
  count: CutCount,
): Promise<void> {
  for (const ending of ENDINGS) {
    for (const way of WAYS) {
      let total = Number.POSITIVE_INFINITY;
      for (let byte = steps.first; byte <= total; byte = nextByte(byte, steps.step, total)) {
        if (way === 'request' && byte === total) break;
        await scene.tidy();
        const cut = { start: 'POST ', way, byte, ending } as const;
        const write = scene.ready(name);
        const passage = await cutWrite(scene, write, cut, (what) =>
          count.wrong.push(`${name} ${way} byte ${byte} of ${total} by ${ending}: ${what}`),
        );
        total = way === 'request' ? passage.requestBytes : passage.answerBytes;
        count.cases++;
      }
    }
  }
}

/** Steps, and does not leave out the end. */
export function nextByte(byte: number, step: number, total: number): number {
  return byte < total && byte + step > total ? total : byte + step;
}

async function cutWrite(
  scene: CutScene,
  write: ReadyWrite,
  cut: Cut,
  wrong: (what: string) => void,
): Promise<Passage> {
  const { proxy, pipe, sequenced } = scene;
  const { requestId } = write.query;
  const postsBefore = proxy.posts;
  const cutDone = proxy.cut(cut);
  const sentAtMs = performance.now();
  const answer = await pipe.post({ path: write.path, body: write.body, timeoutMs: TIMEOUT_MS });
  const tookMs = performance.now() - sentAtMs;
  const passage = await cutDone;
  const seen = classifyAnswer(answer, write.expected);
  const expected = expectedClasses(cut, passage);
  if (!expected.includes(seen.kind))
    wrong(`expected ${expected.join(' or ')}, got ${JSON.stringify(seen, bigintText)}`);
  if (tookMs > TOLD_MS_MAX) wrong(`told after ${Math.round(tookMs)} ms`);
  if (proxy.posts - postsBefore !== 1) wrong(`${proxy.posts - postsBefore} posts (O71)`);
  const times = sequenced.get(requestId) ?? 0;
  const timesExpected = cut.way === 'answer' ? 1 : 0;
  if (times !== timesExpected) wrong(`took effect ${times} times (I5)`);
  await checkReceipt(scene, write, seen, wrong);
  return passage;
}

/**
 * Rows of outcomes-and-receipts.md: a result when the whole answer came, unknown when a byte of it or of the request
 * did not.
 */
function expectedClasses(
  { way, byte, ending }: Cut,
  { answerBytes }: Passage,
): readonly WriteClass['kind'][] {
  if (way === 'request' || byte < answerBytes) return ['unknown'];
  // A reset may overtake the last bytes that it follows.
  return ending === 'fin' ? ['final'] : ['final', 'unknown'];
}

/** The receipt says what happened, whatever was seen (O57, O67). */
async function checkReceipt(
  { pipe, exchange, sequenced }: CutScene,
  { query, expected }: ReadyWrite,
  seen: WriteClass,
  wrong: (what: string) => void,
): Promise<void> {
  const reading = readReceipt(await pipe.receipt(query), expected, exchange.epoch);
  const isDone = sequenced.has(query.requestId);
  if (reading.kind !== (isDone ? 'final' : 'open'))
    wrong(`expected a receipt that is ${isDone ? 'final' : 'open'}, got ${reading.kind}`);
  if (seen.kind === 'final' && reading.kind === 'final' && seen.outcome.status !== reading.outcome.status)
    wrong(`the answer says ${seen.outcome.status}, the receipt ${reading.outcome.status}`);
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Cuts one read at the bytes of `steps`: each is lost, asked once, and whole when its last byte came. */
export async function cutReads(
  scene: CutScene,
  path: string,
  steps: CutSteps,
  count: CutCount,
): Promise<void> {
  const { client } = scene.gateway;
  const call = must(READS.get(path), `the read ${path}`)(scene);
  for (const way of WAYS) {
    let total = Number.POSITIVE_INFINITY;
    for (let byte = steps.first; byte <= total; byte = nextByte(byte, steps.step, total)) {
      if (way === 'request' && byte === total) break;
      const ending = must(ENDINGS[byte % 2], 'an ending');
      const cutDone = scene.proxy.cut({ start: 'GET ', way, byte, ending });
      const sentAtMs = performance.now();
      const answer = await client.get({ ...call, timeoutMs: TIMEOUT_MS });
      const tookMs = performance.now() - sentAtMs;
      const passage = await cutDone;
      total = way === 'request' ? passage.requestBytes : passage.answerBytes;
      const isWhole = way === 'answer' && byte === total;
      const isRight =
        answer.kind === (isWhole ? 'answer' : 'lost') ||
        (isWhole && ending === 'rst' && answer.kind === 'lost');
      count.cases++;
      if (!isRight || tookMs > TOLD_MS_MAX)
        count.wrong.push(
          `${path} ${way} byte ${byte} of ${total} by ${ending}: ${answer.kind} after ${Math.round(tookMs)} ms`,
        );
    }
  }
}

type Call = Parameters<CutScene['gateway']['client']['get']>[0];

/** What a read needs in its query apart from an account. */
const QUERIES: Readonly<Partial<Record<EndpointId, Call['query']>>> = {
  candles: { interval: '1m' },
  events: { limit: 2 },
};
/** Each path is filled with what is there; a dex has no row in a default exchange, and is not found. */
const callOf = (scene: CutScene, { id, query }: Endpoint): Call => {
  const { account } = scene;
  // `events` would be those of one account.
  const takes = (name: string) => id !== 'events' && query.includes(name);
  const selection = {
    ...(takes('address') ? { address: account.address } : {}),
    ...(takes('subaccount') ? { subaccount: 0 } : {}),
  };
  const parameters = scene.parameters();
  const address = id === 'builderSummary' ? account.address : parameters['address'];
  return {
    endpoint: id as EndpointId,
    path: { ...parameters, ...(address === undefined ? {} : { address }) },
    query: { ...selection, ...QUERIES[id as EndpointId] },
  };
};

/** Every read of the interface, by the name of its endpoint; a socket is opened in frame-cuts. */
export const READS: ReadonlyMap<string, (scene: CutScene) => Call> = new Map<
  string,
  (scene: CutScene) => Call
>([
  ...ENDPOINTS.filter(({ id, method }) => method === 'GET' && id !== 'ws' && id !== 'receipt').map(
    (endpoint: Endpoint) => [endpoint.id, (scene: CutScene) => callOf(scene, endpoint)] as const,
  ),
  [
    'receipt',
    (scene) => {
      const { requestId, scope, nonce } = scene.ready('CancelAll').query;
      return { endpoint: 'receipt', path: { requestId }, query: { scope, nonce } };
    },
  ],
]);
