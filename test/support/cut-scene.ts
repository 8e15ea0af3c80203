/**
 * @module
 * The embedded exchange, a proxy that breaks connections in front of it, and the real gateway client: every write that
 * the client can send, signed and ready, and what became of each at the exchange.
 */
import {
  type Clock,
  type Hex,
  must,
  SystemClock,
  seededRandom,
  silentLog,
  silentMeter,
} from '../../src/core/index.ts';
import { type Crypto, loadCrypto, makeDomain, structHasher } from '../../src/crypto/index.ts';
import type {
  Command,
  MainWalletOperation,
  MarketSymbol,
  OrderRef,
  OrderSpec,
  VaultOperation,
} from '../../src/domain/index.ts';
import type { Expected } from '../../src/execution/expected.ts';
import { expectedOf } from '../../src/execution/expected.ts';
import { createApiWallet, createGateway, type Gateway, readNonce } from '../../src/gateway/index.ts';
import type { AccountWritePipe, ReceiptCall } from '../../src/gateway/rest/write-pipe.ts';
import {
  composeWrite,
  encodeCommand,
  mainWalletMessage,
  makeRequestIdOf,
  planMainWalletWrite,
  planWrite,
} from '../../src/protocol/index.ts';
import {
  Exchange,
  type ExchangeServer,
  type FundedSeedAccount,
  startServer,
} from '../../src/simulator/index.ts';
import { FaultProxy } from './fault-proxy.ts';

/** Every write of the client. */
export const WRITES = [
  'place',
  'cancel',
  'cancelAll',
  'replace',
  'scheduleCancel',
  'setLeverage',
  'ApproveAgent',
  'RevokeAgent',
  'CreateSubaccount',
] as const;

/** See {@link WRITES}. */
export type WriteName = (typeof WRITES)[number];

/** A signed write and what its answer and its receipt must speak of. */
export interface ReadyWrite {
  readonly path: string;
  readonly body: string;
  readonly query: ReceiptCall;
  readonly expected: Expected;
}

const SYMBOL = 'BTC-USD' as MarketSymbol;
const NO_BOUND = 1_000_000_000;
const BID_TICKS = 900_000;
const ASK_TICKS = 1_100_000;
const JSON_HEADERS = { 'content-type': 'application/json' };
/** Orders are kept below this many, so that answers keep their length. */
const OPEN_ORDERS_MAX = 20;
const OPEN_ORDERS_LEAST = 2;

/** One exchange with one account behind one proxy. */
export class CutScene {
  readonly exchange: Exchange;
  readonly proxy: FaultProxy;
  readonly gateway: Gateway;
  readonly pipe: AccountWritePipe;
  readonly account: FundedSeedAccount;
  readonly clock: Clock;
  /** How often each request id took effect. */
  readonly sequenced = new Map<string, number>();
  readonly #crypto: Crypto;
  readonly #server: ExchangeServer;
  readonly #nonces = new Map<string, bigint>();
  #labels = 0;

  private constructor(parts: {
    readonly exchange: Exchange;
    readonly proxy: FaultProxy;
    readonly gateway: Gateway;
    readonly account: FundedSeedAccount;
    readonly crypto: Crypto;
    readonly server: ExchangeServer;
    readonly clock: Clock;
  }) {
    this.clock = parts.clock;
    this.exchange = parts.exchange;
    this.proxy = parts.proxy;
    this.gateway = parts.gateway;
    this.account = parts.account;
    this.#crypto = parts.crypto;
    this.#server = parts.server;
    this.pipe = this.gateway.writePipe({ address: this.account.address, subaccount: 0 });
    this.exchange.control.watch(({ receipt }) => {
      if (receipt?.nonceConsumed !== true) return;
      const { requestId } = receipt.request;
      this.sequenced.set(requestId, (this.sequenced.get(requestId) ?? 0) + 1);
      this.#nonces.set(receipt.scope, receipt.request.nonce + 1n);
    });
  }

  /** Everything up and connected. */
  static async open(clock: Clock = new SystemClock()): Promise<CutScene> {
    const crypto = await loadCrypto();
    const settings = { ipBudget: NO_BOUND, accountBudget: NO_BOUND, blockMs: 50, receiptsMax: 100_000 };
    const exchange = new Exchange({ clock, random: seededRandom(5), crypto, settings });
    const account = exchange.control.createFundedAccount();
    exchange.start();
    const server = await startServer(exchange);
    const proxy = await FaultProxy.start(server.port);
    const gateway = createGateway({
      baseUrl: `http://127.0.0.1:${proxy.port}`,
      ...{ clock, random: seededRandom(6), log: silentLog, meter: silentMeter },
    });
    await gateway.start();
    const scene = new CutScene({ exchange, proxy, gateway, account, crypto, server, clock });
    const selection = { address: account.address, subaccount: 0 };
    for (const signer of [undefined, account.apiWallets[0]?.address]) {
      const { scope, nonce } = must(await readNonce(gateway.reader, selection, signer), 'a nonce');
      scene.#nonces.set(scope, nonce);
    }
    await scene.tidy();
    return scene;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.proxy.close();
    await this.#server.close();
    this.exchange.stop();
  }

  /** A write of this kind with the nonce that is next: signed, not sent. */
  ready(name: WriteName): ReadyWrite {
    switch (name) {
      case 'ApproveAgent':
      case 'RevokeAgent':
      case 'CreateSubaccount':
        return this.#mainWalletWrite(name);
      default:
        return this.#command(this.#commandOf(name), this.account);
    }
  }

  /** Sends a write that nobody disturbs; throws unless it is executed. */
  async run(write: ReadyWrite): Promise<void> {
    const answer = await this.pipe.post({ path: write.path, body: write.body, timeoutMs: 5_000 });
    if (answer.kind !== 'answer' || answer.status !== 200)
      throw new Error(`expected ${write.path} to be executed, was ${JSON.stringify(answer)}`);
  }

  /** Lets another account sell into the best bid, past the proxy. */
  cross(other: FundedSeedAccount): void {
    const order: OrderSpec = { ...this.#order('sell'), priceTicks: BID_TICKS as never, timeInForce: 'ioc' };
    const { path, body } = this.#command({ kind: 'place', orders: [order] }, other);
    void this.exchange.handle({ method: 'POST', path, headers: JSON_HEADERS, body, ip: '127.0.0.2' });
  }

  /** Keeps the number of open orders between its bounds. */
  async tidy(): Promise<void> {
    const { length } = this.#openOrders();
    if (length > OPEN_ORDERS_MAX) await this.run(this.ready('cancelAll'));
    if (length > OPEN_ORDERS_MAX || length < OPEN_ORDERS_LEAST)
      for (let i = 0; i < OPEN_ORDERS_LEAST; i++) await this.run(this.ready('place'));
  }

  #commandOf(name: Exclude<WriteName, MainWalletOperation['kind']>): Command {
    const refs = this.#openOrders();
    switch (name) {
      case 'place':
        return { kind: 'place', orders: [this.#order('buy'), this.#order('sell')] };
      case 'cancel':
        return { kind: 'cancel', orders: refs.slice(0, 2) };
      case 'cancelAll':
        return { kind: 'cancelAll' };
      case 'replace':
        return { kind: 'replace', symbol: SYMBOL, cancels: refs.slice(0, 1), orders: [this.#order('buy')] };
      case 'scheduleCancel': {
        const triggerAtMs = (this.gateway.serverClock.serverNowMs() + 3_600_000) as never;
        return { kind: 'scheduleCancel', triggerAtMs };
      }
      case 'setLeverage':
        return { kind: 'setLeverage', symbol: SYMBOL, leverage: 5 };
    }
  }

  /** Far from the price, so that nothing is filled. */
  #order(side: 'buy' | 'sell'): OrderSpec {
    return {
      intentId: 'i' as never,
      strategyId: 's' as never,
      symbol: SYMBOL,
      side,
      priceTicks: (side === 'buy' ? BID_TICKS : ASK_TICKS) as never,
      sizeLots: 10 as never,
      timeInForce: 'gtc',
      reduceOnly: false,
      clientOrderId: `cut-${String(this.#labels++).padStart(8, '0')}` as never,
      expiresAtMs: 0,
    };
  }

  #openOrders(): readonly OrderRef[] {
    return this.exchange.control.venue
      .openOrders(this.account.accountId)
      .map(({ orderSeq }) => ({ symbol: SYMBOL, orderId: String(orderSeq) as never }));
  }

  #command(command: Command, account: FundedSeedAccount): ReadyWrite {
    const { key } = must(account.apiWallets[0], 'an API wallet');
    const wallet = createApiWallet({ crypto: this.#crypto, key, domain: this.#domain() });
    const scope = `agent:${wallet.address.toLowerCase()}`;
    const nonce = this.#nonces.get(scope) ?? 0n;
    const markets = this.exchange.control.venue.markets().map(({ market }) => market);
    const market = (symbol: string) => markets.find((one) => one.symbol === symbol);
    const planned = planWrite(
      command,
      { signingAccountId: account.accountId, market, marketById: () => undefined },
      this.gateway.serverClock.serverNowMs(),
    );
    const { commandHash, requestId, signature } = wallet.sign(
      encodeCommand(planned.canonical),
      nonce as never,
    );
    return {
      path: planned.path,
      body: composeWrite(planned.body, {
        account: account.address,
        nonce,
        signature,
        signer: wallet.address,
      }),
      query: { requestId, commandHash, scope, nonce: nonce as never },
      expected: expectedOf(requestId, command, market),
    };
  }

  #mainWalletWrite(kind: Exclude<MainWalletOperation, VaultOperation>['kind']): ReadyWrite {
    const { address, key, accountId } = this.account;
    const scope = `account:${accountId}`;
    const nonce = must(this.#nonces.get(scope), `the nonce of ${scope}`);
    const agent = must(this.account.apiWallets[1], 'an API wallet').address;
    const operation: MainWalletOperation =
      kind === 'CreateSubaccount'
        ? { kind, account: accountId }
        : kind === 'RevokeAgent'
          ? { kind, account: accountId, agent }
          : { kind, account: accountId, agent, validUntilMs: 0 };
    const { path, canonical, body } = planMainWalletWrite(operation);
    const message = mainWalletMessage(canonical, { owner: address, nonce, hasher: this.#crypto });
    const digest = this.#domain().digest(structHasher(this.#crypto, message.typeString).hash(message.values));
    const requestId = makeRequestIdOf(this.#crypto, address)(digest);
    const signature = this.#crypto.sign(digest, key);
    return {
      path,
      body: composeWrite(body, { account: address, nonce, signature }),
      query: { requestId, commandHash: undefined as unknown as Hex, scope, nonce: nonce as never },
      expected: { requestId, places: [], cancels: [], hasOpenItems: true, market: () => undefined },
    };
  }

  #domain() {
    return makeDomain(this.#crypto, this.exchange.settings.domain);
  }
}
