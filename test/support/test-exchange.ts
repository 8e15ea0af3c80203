/**
 * @module
 * An embedded exchange on a virtual clock with one funded wallet, and the smallest client that can talk to it: signed
 * writes, reads, a stream whose frames are kept. Every answer and frame is held against openapi.yaml.
 */
import { fromHex, must, seededRandom, VirtualClock } from '../../src/core/index.ts';
import type { Address, CanonicalCommand, Market, MarketSymbol } from '../../src/domain/index.ts';
import {
  Exchange,
  type ExchangeAnswer,
  type ExchangeSettings,
  type FundedSeedAccount,
  NO_RESPONSE,
} from '../../src/exchange/index.ts';
import {
  type Crypto,
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  type SecretKey,
  structHasher,
} from '../../src/wire/crypto/index.ts';
import { composeWrite, encodeCommand, mainWalletMessage, readWrite } from '../../src/wire/protocol/index.ts';
import { operationOf, validateAnswer, validateFrame } from './openapi.ts';

/** When every test exchange begins: a round minute, so that budgets begin with a fresh window. */
export const START_MS = 1_767_700_020_000;

/** An answer with its body as a value. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
  readonly json: any;
}

/** How a write deviates from the usual. */
export interface WriteOptions {
  /** Who signs: an API wallet by index (default 0), or the main wallet. */
  readonly by?: number | 'wallet';
  readonly nonce?: bigint;
  readonly subaccount?: number;
  /** Writes for this vault. */
  readonly vault?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another key than the named signer's. */
  readonly forgedBy?: SecretKey;
}

/** A stream with what it received. */
export interface TestStream {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
  readonly frames: any[];
  readonly texts: string[];
  /** The close code, once closed by the exchange. */
  closedWith(): number | undefined;
  send(frame: object | string): void;
  subscribe(params: object, id?: number): void;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
  of(channel: string): any[];
  setReady(isReady: boolean): void;
  closed(): void;
}

let crypto: Crypto | undefined;

/** A running exchange with one funded account. */
export async function startTestExchange(settings: Partial<ExchangeSettings> = {}): Promise<TestExchange> {
  crypto ??= await loadCrypto();
  const clock = new VirtualClock(START_MS);
  const exchange = new Exchange({ clock, random: seededRandom(11), crypto, settings });
  const account = exchange.control.createFundedAccount();
  exchange.start();
  return new TestExchange({ clock, exchange, account, crypto });
}

/** See {@link startTestExchange}. */
export class TestExchange {
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
  readonly account: FundedSeedAccount;
  readonly crypto: Crypto;
  readonly #nextNonces = new Map<string, bigint>();

  constructor(parts: {
    clock: VirtualClock;
    exchange: Exchange;
    account: FundedSeedAccount;
    crypto: Crypto;
  }) {
    this.clock = parts.clock;
    this.exchange = parts.exchange;
    this.account = parts.account;
    this.crypto = parts.crypto;
  }

  /** The same exchange with another funded wallet. */
  another(): TestExchange {
    const { clock, exchange, crypto: loaded } = this;
    return new TestExchange({
      clock,
      exchange,
      crypto: loaded,
      account: exchange.control.createFundedAccount(),
    });
  }

  /** Names otherwise than in the document are asked for by quirk. */
  get #isOfDocument(): boolean {
    return this.exchange.settings.quirks.A20 === 'seed';
  }

  get address(): Address {
    return this.account.address;
  }

  /** The first API wallet. */
  get agent(): Address {
    return must(this.account.apiWallets[0], 'an API wallet').address;
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** Lets `count` blocks pass. */
  blocks(count = 1): void {
    this.clock.advance(count * this.exchange.settings.blockMs);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Answer {
    const reply = this.exchange.handle({ method: 'GET', path, headers, body: '', ip: '10.0.0.1' });
    if (reply instanceof Promise || reply === NO_RESPONSE) throw new Error('expected an answer at once');
    return seen('GET', path, reply, this.#isOfDocument);
  }

  async getLater(
    path: string,
    headers: Readonly<Record<string, string>>,
    advanceMs: number,
  ): Promise<Answer> {
    const reply = Promise.resolve(
      this.exchange.handle({ method: 'GET', path, headers, body: '', ip: '10.0.0.1' }),
    );
    await this.clock.advanceAsync(advanceMs);
    const answer = await reply;
    if (answer === NO_RESPONSE) throw new Error('expected an answer');
    return seen('GET', path, answer, this.#isOfDocument);
  }

  post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
    const reply = this.exchange.handle({ method: 'POST', path, headers, body, ip: '10.0.0.1' });
    if (reply instanceof Promise || reply === NO_RESPONSE) throw new Error('expected an answer at once');
    return seen('POST', path, reply, this.#isOfDocument);
  }

  async postLater(path: string, body: string, advanceMs: number): Promise<Answer | typeof NO_RESPONSE> {
    const reply = Promise.resolve(
      this.exchange.handle({ method: 'POST', path, headers: {}, body, ip: '10.0.0.1' }),
    );
    await this.clock.advanceAsync(advanceMs);
    const answer = await reply;
    return answer === NO_RESPONSE ? NO_RESPONSE : seen('POST', path, answer, this.#isOfDocument);
  }

  /** Signs and sends one write. The nonce is the next one this client knows of, unless it is given. */
  write(path: string, business: object, options: WriteOptions = {}): Answer {
    const body = this.signed(path, business, options).text;
    return this.post(`${path}${options.query ?? ''}`, body, options.headers);
  }

  /** A signed body and what identifies it. */
  signed(
    path: string,
    business: object,
    { by = 0, nonce, subaccount, vault, forgedBy }: WriteOptions = {},
  ): { text: string; requestId: string; nonce: bigint; scope: string; commandHash: string } {
    const account =
      vault === undefined
        ? (this.exchange.control.accountId(this.address, subaccount ?? 0) ?? 0)
        : Number(vault);
    const read = readWrite(path, business, {
      signingAccountId: account,
      market: (symbol: MarketSymbol) => this.#market(symbol),
      marketById: () => undefined,
    });
    if ('problem' in read) throw new Error(read.problem.message);
    const wallet = by === 'wallet' ? undefined : this.account.apiWallets[by];
    const key = wallet?.key ?? this.account.key;
    const scope = wallet === undefined ? `account:${account}` : `agent:${wallet.address}`;
    const taken = nonce ?? this.nextNonce(scope, subaccount, vault);
    if (nonce === undefined) this.#nextNonces.set(scope, taken + 1n);
    const domain = makeDomain(this.crypto, this.exchange.settings.domain);
    let digest: Uint8Array;
    let commandHash: Uint8Array = new Uint8Array(32);
    if (wallet === undefined) {
      const message = mainWalletMessage(read.canonical, {
        owner: this.address,
        nonce: taken,
        hasher: this.crypto,
      });
      digest = domain.digest(structHasher(this.crypto, message.typeString).hash(message.values));
    } else {
      commandHash = this.crypto.keccak256(encodeCommand(read.canonical as CanonicalCommand));
      digest = makeAgentExecDigest(this.crypto, domain)(commandHash, taken);
    }
    const signature = this.crypto.sign(digest, forgedBy ?? key);
    const signer = fromHex(wallet?.address ?? this.address, 20);
    const requestId = this.exchange.settings.requestIdOf(this.crypto, signer, digest);
    const text = composeWrite(business as Record<string, unknown>, {
      account: this.address,
      nonce: taken,
      signature,
      subaccount,
      vault,
      signer: wallet?.address as Address | undefined,
    });
    return {
      text,
      requestId,
      nonce: taken,
      scope,
      commandHash: `0x${Buffer.from(commandHash).toString('hex')}`,
    };
  }

  /** The next nonce of a scope as this client knows it; asked from the exchange once. */
  nextNonce(scope: string, subaccount = 0, vault?: string): bigint {
    const known = this.#nextNonces.get(scope);
    if (known !== undefined) return known;
    const signer = scope.startsWith('agent:') ? `&signer=${scope.slice(6)}` : '';
    const whose = vault === undefined ? `address=${this.address}&subaccount=${subaccount}` : `vault=${vault}`;
    const { json } = this.get(`/v1/account/nonce?${whose}${signer}`);
    return BigInt(json.nonce);
  }

  /** Forgets what this client knows of nonces. */
  forgetNonces(): void {
    this.#nextNonces.clear();
  }

  /** Places orders of BTC-USD, one write. */
  place(orders: readonly object[], options: WriteOptions = {}): Answer {
    return this.write('/v1/orders', { orders: orders.map(anOrder), nowMs: this.nowMs }, options);
  }

  stream(): TestStream {
    const texts: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
    const frames: any[] = [];
    let isReady = true;
    let code: number | undefined;
    const opened = this.exchange.openStream('10.0.0.1', {
      send: (text) => {
        texts.push(text);
        const frame = JSON.parse(text);
        frames.push(frame);
        if (this.#isOfDocument) expectNoProblems(`frame ${text}`, validateFrame(frame));
      },
      isReady: () => isReady,
      close: (with_) => {
        code = with_;
      },
    });
    if ('status' in opened) throw new Error(`refused with ${opened.status}`);
    const { session } = opened;
    return {
      frames,
      texts,
      closedWith: () => code,
      send: (frame) => session.receive(typeof frame === 'string' ? frame : JSON.stringify(frame)),
      subscribe: (params, id = 1) => session.receive(JSON.stringify({ method: 'subscribe', params, id })),
      of: (channel) => frames.filter((frame) => frame.channel === channel),
      setReady: (ready) => {
        isReady = ready;
      },
      closed: () => session.closed(),
    };
  }

  #market(symbol: string): Market | undefined {
    return this.exchange.control.venue.markets().find(({ market }) => market.symbol === symbol)?.market;
  }
}

/** An order body with defaults: buys 0.01 BTC far below the index price of 100,000. */
export function anOrder(fields: object = {}): object {
  return {
    symbol: 'BTC-USD',
    side: 'buy',
    price: '90000.0',
    size: '0.0100',
    timeInForce: 'gtc',
    reduceOnly: false,
    ...fields,
  };
}

function seen(
  method: string,
  path: string,
  { status, headers, body }: ExchangeAnswer,
  isOfDocument: boolean,
): Answer {
  const answer = { status, headers, json: JSON.parse(body) };
  // Paths outside the document have nothing to be held against but the shape of an error.
  if (isOfDocument && operationOf(method, path) !== undefined)
    expectNoProblems(
      `${status} on ${method} ${path}: ${body}`,
      validateAnswer(path, method, status, answer.json),
    );
  return answer;
}

function expectNoProblems(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what}\n  ${problems.join('\n  ')}`);
}
