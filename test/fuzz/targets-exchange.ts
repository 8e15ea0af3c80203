/**
 * @module
 * What clients send to the embedded exchange: requests and frames. It answers everything in the form of the interface,
 * and executes nothing that was not signed just so (exchange.md#signing).
 */
import { isRecord, messageOf } from '../../src/core/index.ts';
import {
  type ExchangeAnswer,
  type ExchangeReply,
  type ExchangeRequest,
  NO_RESPONSE,
} from '../../src/exchange/index.ts';
import { anOrder, startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { CLIENT_FRAMES } from '../support/wire-samples.ts';
import { type Outcome, REFUSED, type Target, taken, wrong } from './target.ts';

const BUDGET = 1_000_000_000;
const BLOCK_EVERY = 50;
const WAIT_STATUS = new Set([408, 409, 412, 503]);

/** Requests: method, path, headers and body, among them writes with real signatures. */
export async function requestTarget(): Promise<Target> {
  const exchange = await startTestExchange({ ipWeightLimit: BUDGET, accountWeightLimit: BUDGET });
  const { samples, requestIds } = requestSamples(exchange);
  const late: string[] = [];
  let count = 0;
  return {
    name: 'requests',
    tokens: [
      '"GET"',
      '"POST"',
      '"%"',
      '"%zz"',
      '"?ack=x"',
      '"?limit=1e9"',
      '"/v1/../v1"',
      `"${exchange.address}"`,
    ],
    samples: () => samples,
    feed: (text) => {
      count++;
      if (count % BLOCK_EVERY === 0) exchange.blocks();
      const earlier = late.shift();
      if (earlier !== undefined) return wrong(earlier);
      const reply = handled(exchange, requestOf(text));
      if (typeof reply === 'string') return wrong(reply === NO_RESPONSE ? 'no answer' : reply);
      if (!(reply instanceof Promise)) return answerOutcome(reply, requestIds);
      reply.then(
        (answer) => {
          const isWait = answer !== NO_RESPONSE && WAIT_STATUS.has(answer.status);
          const outcome = answer === NO_RESPONSE || isWait ? REFUSED : answerOutcome(answer, requestIds);
          if (outcome.kind === 'wrong') late.push(`${outcome.why}, late on ${text}`);
        },
        (thrown: unknown) => late.push(`thrown late: ${messageOf(thrown)}, on ${text}`),
      );
      return REFUSED;
    },
  };
}

function handled(
  exchange: TestExchange,
  request: ExchangeRequest,
): ExchangeReply | Promise<ExchangeReply> | string {
  try {
    return exchange.exchange.handle(request);
  } catch (thrown) {
    return `thrown: ${messageOf(thrown)}`;
  }
}

/** Writes of an API wallet and of the main wallet, and reads of every kind. */
function requestSamples(exchange: TestExchange): { samples: string[]; requestIds: ReadonlySet<string> } {
  const { address, agent, nowMs } = exchange;
  const orders = {
    orders: [anOrder({ clientOrderId: 'a' }), anOrder({ side: 'sell', price: '110000.0' })],
    nowMs,
  };
  const cancels = [{ symbol: 'BTC-USD', orderId: '1' }];
  const writes = [
    ['/v1/orders', orders, 0],
    ['/v1/orders', { orders: [anOrder({ timeInForce: 'ioc' })], nowMs }, 'wallet'],
    ['/v1/orders/cancel', { orders: cancels }, 0],
    ['/v1/orders/replace', { cancels, ...orders }, 0],
    ['/v1/account/leverage', { symbol: 'BTC-USD', leverage: 5 }, 0],
  ] as const;
  const { vault, ofVault } = vaultWrites(exchange);
  const signed = [
    ...writes.map(([path, business, by]) => ({ path, ...exchange.signed(path, business, { by }) })),
    ...ofVault,
  ];
  const account = `address=${address}&subaccount=0`;
  const reads = [
    '/v1/time',
    '/v1/markets/BTC-USD/book?depth=20',
    '/v1/markets/BTC-USD/candles?interval=1m&limit=10',
    '/v1/markets/BTC-USD/trades?limit=10',
    `/v1/account?${account}`,
    `/v1/account/orders?${account}`,
    `/v1/account/fills?${account}&limit=10&after=1-0-1`,
    `/v1/account/ledger?${account}&limit=10`,
    `/v1/account/nonce?${account}&signer=${agent}`,
    `/v1/agents/${agent}`,
    `/v1/requests/${signed[0]?.requestId}`,
    `/v1/vaults/${vault}/depositors?limit=5`,
    `/v1/account/portfolio?vault=${vault}&limit=5`,
    `/v1/events?vault=${vault}&limit=5`,
  ];
  const ip = '10.0.0.1';
  return {
    samples: [
      ...signed.map(({ path, text }) => ({ method: 'POST', path, headers: {}, body: text, ip })),
      ...reads.map((path) => ({ method: 'GET', path, headers: { 'x-svc-min-seq': '1' }, body: '', ip })),
      // A body as a value, so that its fields are changed one by one.
      ...signed.map(({ path, text }) => ({ method: 'POST', path, headers: {}, json: JSON.parse(text), ip })),
    ].map((request) => JSON.stringify(request)),
    requestIds: new Set(signed.map(({ requestId }) => requestId)),
  };
}

/** A vault, with writes of its manager and of a participant. */
function vaultWrites(exchange: TestExchange) {
  const by = 'wallet';
  const { id } = exchange.write('/v1/vaults', { name: 'fuzzed' }, { by }).json.vault;
  const sign = (path: string, business: object, vault?: string) => ({
    path,
    ...exchange.signed(path, business, { by, ...(vault === undefined ? {} : { vault }) }),
  });
  const ofVault = [
    sign(`/v1/vaults/${id}/deposit`, { amount: '10' }),
    sign(`/v1/vaults/${id}/redeem`, { shares: '4.5' }),
    sign(`/v1/vaults/${id}/config`, { depositCap: '1000', leverageMax: null }),
    sign('/v1/orders', { orders: [anOrder()], nowMs: exchange.nowMs }, id),
    sign('/v1/orders/cancel-all', {}, id),
  ];
  return { vault: String(id), ofVault };
}

/** The request of a text; one that is none is the body of an order. Headers are as the HTTP server hands them over. */
function requestOf(text: string): ExchangeRequest {
  const value = jsonOf(text);
  const fields = isRecord(value) ? value : { body: text };
  const part = (name: string, otherwise: string): string => {
    const item = fields[name];
    return typeof item === 'string' ? item : otherwise;
  };
  const headers: Record<string, string | readonly string[]> = {};
  if (isRecord(fields['headers']))
    for (const [name, header] of Object.entries(fields['headers']))
      headers[name.toLowerCase()] = Array.isArray(header)
        ? header.map((item) => `${typeof item}`)
        : typeof header === 'string'
          ? header
          : text;
  return {
    method: part('method', 'POST'),
    path: part('path', '/v1/orders'),
    headers,
    body: 'json' in fields ? bodyTextOf(fields['json'], text) : part('body', text),
    ip: '10.0.0.1',
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerOutcome({ status, body }: ExchangeAnswer, requestIds: ReadonlySet<string>): Outcome {
  const answer = jsonOf(body);
  if (!isRecord(answer)) return wrong(`an answer that is no object: ${body}`);
  if (status === 200 || status === 202) {
    const isWrite = 'status' in answer && 'requestId' in answer;
    return taken(
      isWrite && !requestIds.has(String(answer['requestId'])) ? `never signed: ${body}` : undefined,
    );
  }
  if (status < 400 || status >= 500) return wrong(`status ${status}: ${body}`);
  const { error } = answer;
  const isWhole =
    isRecord(error) &&
    typeof error['code'] === 'string' &&
    typeof error['num'] === 'number' &&
    typeof error['message'] === 'string';
  // A signed write may be rejected as a whole: its answer is then that of the write.
  const isRejection = requestIds.has(String(answer['requestId']));
  return isWhole || isRejection ? REFUSED : wrong(`an error of another form: ${body}`);
}

/** Frames of a client into a stream, a new connection for each. */
export async function clientFrameTarget(): Promise<Target> {
  const exchange = await startTestExchange({ ipWeightLimit: BUDGET });
  const params = { address: exchange.address, subaccount: 0 };
  const own = ['orders', 'fills', 'positions', 'account', 'ledger'].map((channel) => ({
    channel,
    ...params,
  }));
  const frames = [
    ...CLIENT_FRAMES,
    ...own.map((each, id) => ({ method: 'subscribe', params: each, id })),
    { method: 'subscribe', params: { channel: 'book', symbol: 'BTC-USD', depth: 20 }, id: 9 },
    { method: 'subscribe', params: { channel: 'events' }, id: 10 },
  ];
  return {
    name: 'client frames',
    tokens: ['"subscribe"', '"book"', '"BTC-USD"', '{"channel":"prices"}', '-1', '0', '101'],
    samples: () => frames.map((frame) => JSON.stringify(frame)),
    feed: (text) => {
      const told: string[] = [];
      try {
        hear(exchange, text, told);
      } catch (thrown) {
        return wrong(`thrown: ${messageOf(thrown)}`);
      }
      return toldOutcome(told);
    },
  };
}

function hear({ exchange }: TestExchange, text: string, told: string[]): void {
  const sink = {
    send: (frame: string) => void told.push(frame),
    isReady: () => true,
    close: () => undefined,
  };
  const opened = exchange.openStream('10.0.0.1', sink);
  if (!('session' in opened)) throw new Error(`refused with ${opened.status}`);
  opened.session.receive(text);
  opened.session.closed();
}

function toldOutcome(told: readonly string[]): Outcome {
  const [first] = told.map(jsonOf);
  if (!isRecord(first)) return wrong(`no answer, or one that is no object: ${told[0]}`);
  if (first['channel'] !== 'error')
    return taken(
      ['subscribed', 'unsubscribed', 'pong'].includes(String(first['channel']))
        ? undefined
        : `answered with ${told[0]}`,
    );
  const { data } = first;
  const isWhole = isRecord(data) && typeof data['code'] === 'string' && typeof data['message'] === 'string';
  return isWhole ? REFUSED : wrong(`an error of another form: ${told[0]}`);
}

/** What is nested too deep to be written again is sent as it stands. */
function bodyTextOf(body: unknown, text: string): string {
  try {
    return JSON.stringify(body) ?? '';
  } catch {
    return text;
  }
}
