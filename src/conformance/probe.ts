/**
 * @module What a check sees of a gateway: raw requests and streams over the transport of `gateway`, accounts that sign,
 * and the harness where there is one. Everything that comes back passes a tap, for coverage and validation.
 */
import { type Clock, must, type Random, secureBytes, silentLog, silentMeter } from '../core/index.ts';
import type { Address, Market } from '../domain/index.ts';
import {
  type Crypto,
  type DomainFields,
  generateSecretKey,
  parseSecretKey,
  type SecretKey,
} from '../wire/crypto/index.ts';
import { createNetworkTransport, parseBaseUrl, type Transport } from '../wire/gateway/index.ts';
import {
  type Decoded,
  decodeExchange,
  decodeMarkets,
  HEADER_PREFIX_DEFAULT,
  parseRateLimit,
  type WireOrderRequest,
} from '../wire/protocol/index.ts';
import { ReceivedAnswer } from './answer.ts';
import { answered, Deviation, NotOffered } from './expect.ts';
import { Feed } from './feed.ts';
import type { Harness } from './harness.ts';
import { far } from './orders.ts';
import { Trader, type TraderKeys } from './trader.ts';

/** Hears all that a gateway says. */
export interface Tap {
  /** Called with each response. */
  onAnswer(method: string, path: string, answer: ReceivedAnswer): void;
  /** Called with each stream frame. */
  onFrame(frame: unknown): void;
}

/** What a probe is made of. */
export interface ProbeOptions {
  /** URL of the gateway. */
  readonly baseUrl: string;
  /** Clock of all times and timers. */
  readonly clock: Clock;
  /** Random generator; the same seed gives the same run. */
  readonly random: Random;
  /** Signing, recovery and hashing. */
  readonly crypto: Crypto;
  /** Prefix of the exchange's own headers; absent: read from a response. */
  readonly headerPrefix?: string;
  /** Gives funded accounts and controls; absent: checks that need them are skipped. */
  readonly harness?: Harness;
  /** The account of the operator's keys; without it and without a harness only public checks run. */
  readonly keys?: TraderKeys;
  /** Receives each response and frame; absent: none. */
  readonly tap?: Tap;
}

/** How long one request may take. */
const REQUEST_MS_MAX = 10_000;
/** With less than this left of the address's budget the suite waits for the next window. */
const BUDGET_RESERVE = 60;

/** One gateway under examination. */
export class Probe {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly headerPrefix: string;
  readonly #options: ProbeOptions;
  readonly #transport: Transport;
  readonly #traders: Trader[] = [];
  readonly #feeds: Feed[] = [];
  #keysTrader: Trader | undefined;
  #waitMs = 0;
  #markets: ReadonlyMap<string, Market> = new Map();
  #domain: DomainFields | undefined;

  constructor(options: ProbeOptions) {
    const { clock, baseUrl } = options;
    this.clock = clock;
    this.crypto = options.crypto;
    this.headerPrefix = options.headerPrefix ?? HEADER_PREFIX_DEFAULT;
    this.#options = options;
    this.#transport = createNetworkTransport(parseBaseUrl(baseUrl), {
      clock,
      log: silentLog,
      meter: silentMeter,
    });
  }

  /** Reads what signing needs. Rejects when the gateway cannot be reached or does not speak the interface. */
  async start(): Promise<void> {
    const about = mustDecode(decodeExchange(answered(await this.get('/v1/exchange')).body));
    this.#domain = about.domain;
    const { body } = answered(await this.get('/v1/markets'));
    const { markets } = mustDecode(decodeMarkets(body, about.collateralDecimals));
    this.#markets = new Map(markets.map((market) => [market.symbol, market]));
    must(markets[0], 'at least one market');
  }

  /** The strings behind the exchange. @throws NotOffered where there are none. */
  get harness(): Harness {
    if (this.#options.harness === undefined) throw new NotOffered('control of the exchange');
    return this.#options.harness;
  }

  /** What checks of `needs` can be run here. */
  can(needs: 'public' | 'account' | 'control'): boolean {
    const { harness, keys } = this.#options;
    if (needs === 'control') return harness !== undefined;
    return needs === 'public' || harness !== undefined || keys !== undefined;
  }

  /** The first market that trades. */
  get market(): Market {
    const all = [...this.#markets.values()];
    return must(all.find(({ status }) => status === 'Active') ?? all[0], 'a market');
  }

  /** Another market than {@link market}. @throws NotOffered when there is only one. */
  get otherMarket(): Market {
    const other = [...this.#markets.values()].find(({ symbol }) => symbol !== this.market.symbol);
    if (other === undefined) throw new NotOffered('a second market');
    return other;
  }

  /** The signing domain that the gateway reported. */
  get domain(): DomainFields {
    return must(this.#domain, 'the domain of a started probe');
  }

  /** Reads. @throws Deviation when there is no answer. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedAnswer> {
    return mustAnswer(`GET ${path}`, await this.#request('GET', path, { headers }));
  }

  /** Posts. @throws Deviation when there is no answer. */
  async post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ReceivedAnswer> {
    return mustAnswer(`POST ${path}`, await this.#request('POST', path, { headers, body }));
  }

  /** Posts; `undefined` when there is no answer. */
  tryPost(path: string, body: string): Promise<ReceivedAnswer | undefined> {
    return this.#request('POST', path, { headers: {}, body });
  }

  /** Opens a stream; it is closed when the check is over. */
  open(): Promise<Feed> {
    const feed = new Feed(this.#transport, this.clock, (frame) => this.#options.tap?.onFrame(frame));
    this.#feeds.push(feed);
    return feed.opened();
  }

  /** A funded account: a fresh one from the harness, else the one of the operator's keys. */
  async trader(options: { readonly balance?: string; readonly apiWallets?: number } = {}): Promise<Trader> {
    const { harness, keys } = this.#options;
    if (harness === undefined) {
      this.#keysTrader ??= this.#addTrader(must(keys, 'keys of an account'));
      return this.#keysTrader;
    }
    const made = await harness.createAccount(options);
    return this.#addTrader({
      address: made.address.toLowerCase() as Address,
      wallet: parseSecretKey(this.crypto, made.privateKey),
      apiWallets: made.apiWallets.map(({ privateKey }) => parseSecretKey(this.crypto, privateKey)),
      subaccount: 0,
    });
  }

  /** A signer with other keys of an account. */
  traderWith(keys: TraderKeys): Trader {
    return this.#addTrader(keys);
  }

  /** An unknown key. */
  freshKey(): SecretKey {
    return generateSecretKey(this.crypto, secureBytes);
  }

  /** Server time in Unix ms. */
  async serverMs(): Promise<number> {
    return answered(await this.get('/v1/time')).number('serverTime');
  }

  /** A post-only order of the smallest size, far below the market: it rests and never trades. */
  async farOrder(fields: Partial<WireOrderRequest> = {}, market = this.market): Promise<WireOrderRequest> {
    const prices = answered(await this.get('/v1/prices')).list('prices');
    const price = must(
      prices.find((one) => one.at('symbol') === market.symbol),
      `the price of ${market.symbol}`,
    );
    return { ...far(market, price), ...fields };
  }

  /** Waits real time. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.clock.after(ms, resolve);
    });
  }

  /** Asks again until `look` gives something, for ten seconds. @throws Deviation */
  async eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const found = await look();
      if (found !== undefined) return found;
      await this.pause(50);
    }
    throw new Deviation(what, 'it to happen within ten seconds', 'nothing');
  }

  /** Ends a check: streams are closed, whatever rests is canceled, the harness is put back. */
  async tidy(): Promise<void> {
    for (const feed of this.#feeds.splice(0)) feed.close();
    await this.#options.harness?.reset();
    for (const trader of this.#traders) if (trader.hasWritten) await cancelEverything(trader);
    if (this.#options.harness !== undefined) this.#traders.length = 0;
  }

  /** Closes all sockets. */
  async close(): Promise<void> {
    await this.#transport.close?.();
  }

  #addTrader(keys: TraderKeys): Trader {
    const { crypto, headerPrefix } = this;
    const trader = new Trader(
      {
        crypto,
        headerPrefix,
        domain: this.domain,
        markets: this.#markets,
        get: (path, headers) => this.get(path, headers),
        post: (path, body, headers) => this.post(path, body, headers),
      },
      keys,
    );
    this.#traders.push(trader);
    return trader;
  }

  async #request(
    method: 'GET' | 'POST',
    path: string,
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<ReceivedAnswer | undefined> {
    if (this.#waitMs > 0) await this.pause(this.#waitMs);
    this.#waitMs = 0;
    const answer = await this.#transport.request({
      method,
      path,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      timeoutMs: REQUEST_MS_MAX,
    });
    if (answer.kind !== 'answer') return undefined;
    const whole = new ReceivedAnswer(`${method} ${path}`, answer);
    this.#options.tap?.onAnswer(method, path, whole);
    this.#pace(whole);
    return whole;
  }

  /** On a harness budgets are what a check makes them; elsewhere the suite stays below them. */
  #pace(answer: ReceivedAnswer): void {
    if (this.#options.harness !== undefined) return;
    const left = parseRateLimit(answer.header('ratelimit'));
    if (left !== undefined && left.remaining < BUDGET_RESERVE) this.#waitMs = left.resetSeconds * 1_000;
  }
}

async function cancelEverything(trader: Trader): Promise<void> {
  trader.hasWritten = false;
  trader.forgetNonces();
  const by = trader.keys.apiWallets.length > 0 ? 0 : 'wallet';
  const all = await trader.write('/v1/orders/cancel-all', {}, { by });
  if (all.answer.status === 200 || by === 'wallet' || trader.keys.wallet === undefined) return;
  await trader.write('/v1/orders/cancel-all', {}, { by: 'wallet' });
}

function mustAnswer(about: string, answer: ReceivedAnswer | undefined): ReceivedAnswer {
  if (answer === undefined) throw new Deviation(about, 'an answer', 'none');
  return answer;
}

function mustDecode<T>(decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value;
  throw decoded.error;
}
