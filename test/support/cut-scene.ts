/**
 * @module
 * The embedded exchange, a proxy that breaks connections in front of it, and the real gateway client: every write that
 * the client can send, signed and ready, and what became of each at the exchange.
 */

import { type Expected, expectedOf } from '../../src/bot/execution/expected.ts';
import {
  type Clock,
  type Hex,
  must,
  SystemClock,
  seededRandom,
  silentLog,
  silentMeter,
} from '../../src/core/index.ts';
import type { LaneCommand } from '../../src/domain/index.ts';
import {
  Exchange,
  type ExchangeServer,
  type FundedSeedAccount,
  startServer,
} from '../../src/exchange/index.ts';
import { type Crypto, loadCrypto, makeDomain, structHasher } from '../../src/wire/crypto/index.ts';
import { createApiWallet, createGateway, type Gateway, readNonce } from '../../src/wire/gateway/index.ts';
import type { AccountWritePipe, ReceiptCall } from '../../src/wire/gateway/rest/write-pipe.ts';
import {
  COMMAND_TAGS,
  composeWrite,
  encodeCommand,
  mainWalletMessage,
  makeRequestIdOf,
  planMainWalletWrite,
  planWrite,
} from '../../src/wire/protocol/index.ts';
import { BID_TICKS, type Ground, orderOf, PLANS, SYMBOL, type WriteName } from './cut-writes.ts';
import { FaultProxy } from './fault-proxy.ts';

/** A signed write and what its answer and its receipt must speak of. */
export interface ReadyWrite {
  readonly path: string;
  readonly body: string;
  readonly query: ReceiptCall;
  readonly expected: Expected;
}

const NO_BOUND = 1_000_000_000;
const JSON_HEADERS = { 'content-type': 'application/json' };
/** Orders are kept below this many, so that answers keep their length. */
const OPEN_ORDERS_MAX = 20;
const OPEN_ORDERS_LEAST = 2;
/** A wallet makes so many vaults and subaccounts before another one takes over: their number is limited. */
const MADE_MAX = 80;
const MAKES: ReadonlySet<WriteName> = new Set(['CreateVault', 'CreateSubaccount']);
/** What a vault is given at its start, in quantums: it is redeemed from again and again. */
const STAKE = 100_000_000_000n;

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
  /** The client order id of the newest order that was asked for. */
  #newest = '';
  #owner: FundedSeedAccount;
  /** The vault of the owner. */
  #vault = 0;
  #made = 0;

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
    this.#owner = parts.account;
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
    const settings = {
      ipWeightLimit: NO_BOUND,
      accountWeightLimit: NO_BOUND,
      blockMs: 50,
      receiptsMax: 100_000,
    };
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
    await scene.#learnNonce(account.address, account.apiWallets[0]?.address);
    await scene.#changeOwner();
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
    if (MAKES.has(name)) this.#made++;
    const plan = must(PLANS[name], `a plan of ${name}`);
    return this.#signed(plan(this.#ground()), this.account);
  }

  /** Sends a write that nobody disturbs and gives the answer's text; throws unless it is executed. */
  async run(write: ReadyWrite): Promise<string> {
    const answer = await this.pipe.post({ path: write.path, body: write.body, timeoutMs: 5_000 });
    if (answer.kind !== 'answer' || answer.status !== 200)
      throw new Error(`expected ${write.path} to be executed, got ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** Lets another account sell into the best bid, past the proxy. */
  cross(other: FundedSeedAccount): void {
    const label = () => this.#label();
    const order = {
      ...orderOf({ label }, 'sell'),
      priceTicks: BID_TICKS as never,
      timeInForce: 'ioc' as const,
    };
    const { path, body } = this.#signed({ kind: 'place', orders: [order] }, other);
    void this.exchange.handle({ method: 'POST', path, headers: JSON_HEADERS, body, ip: '127.0.0.2' });
  }

  /** Keeps the number of open orders between its bounds, one of each kind waiting, and an owner who may make more. */
  async tidy(): Promise<void> {
    if (this.#made >= MADE_MAX) await this.#changeOwner();
    const { venue } = this.exchange.control;
    const { accountId } = this.account;
    const count = venue.openOrders(accountId).length + venue.waitingOrders(accountId).length;
    if (count > OPEN_ORDERS_MAX) await this.run(this.ready('CancelAll'));
    const { plain, bids, conditional, twap } = this.open();
    if (plain.length < OPEN_ORDERS_LEAST || bids.length === 0)
      for (let i = 0; i < OPEN_ORDERS_LEAST; i++) await this.run(this.ready('BatchPlace'));
    if (conditional.length === 0) await this.run(this.ready('PlaceConditional'));
    if (twap.length === 0) await this.run(this.ready('PlaceTwap'));
  }

  /** What an endpoint's path is filled with. */
  parameters(): Readonly<Record<string, string>> {
    const { plain } = this.open();
    return {
      symbol: SYMBOL,
      orderId: String(must(plain[0], 'an order')),
      clientOrderId: this.#newest,
      address: must(this.account.apiWallets[0], 'an API wallet').address,
      id: String(this.#vault),
    };
  }

  /** Numbers of open orders, by what they wait for. */
  open(): Ground['open'] {
    const { venue } = this.exchange.control;
    const { accountId } = this.account;
    const resting = venue.openOrders(accountId);
    const numbers = (orders: typeof resting) => orders.map(({ orderSeq }) => orderSeq);
    const waiting = (kind: string) =>
      numbers(venue.waitingOrders(accountId).filter((order) => order.waiting?.kind === kind));
    return {
      plain: numbers(resting),
      bids: numbers(resting.filter(({ side }) => side === 'buy')),
      conditional: waiting('conditional'),
      twap: waiting('twap'),
    };
  }

  #label(number = this.#labels++): string {
    return String(number).padStart(8, '0');
  }

  /** Another wallet owns what is made from now on. */
  async #changeOwner(): Promise<void> {
    this.#owner = this.exchange.control.createFundedAccount();
    this.#made = 0;
    const { address, accountId } = this.#owner;
    await this.#learnNonce(address, undefined);
    const made = JSON.parse(await this.run(this.ready('CreateVault')));
    this.#vault = Number(made.vault.id);
    const stake = { kind: 'DepositVault', account: accountId, vault: this.#vault, amount: STAKE } as const;
    await this.run(this.#signed({ kind: 'operation', ...planMainWalletWrite(stake) }, this.account));
  }

  async #learnNonce(address: string, signer: string | undefined): Promise<void> {
    const selection = { address: address as never, subaccount: 0 };
    for (const by of signer === undefined ? [undefined] : [undefined, signer as never]) {
      const { scope, nonce } = must(await readNonce(this.gateway.reader, selection, by), 'a nonce');
      this.#nonces.set(scope, nonce);
    }
  }

  #ground(): Ground {
    const { accountId } = this.#owner;
    const markets = this.exchange.control.venue.markets().map(({ market }) => market);
    const marketOf = (symbol: string) => markets.find((one) => one.symbol === symbol);
    return {
      context: { signingAccountId: this.account.accountId, market: marketOf, marketById: () => undefined },
      nowMs: this.gateway.serverClock.serverNowMs(),
      market: must(marketOf(SYMBOL), SYMBOL),
      open: this.open(),
      owner: {
        accountId,
        vault: this.#vault,
        agent: must(this.#owner.apiWallets[1], 'an API wallet').address,
      },
      label: () => this.#label(),
      freshVault: () => Number(this.exchange.control.freshVault({ name: 'fresh' }).vault),
    };
  }

  /** Signed by the API wallet of `account`, or by the owner what only a main wallet may sign. */
  #signed(command: LaneCommand, account: FundedSeedAccount): ReadyWrite {
    const { context, nowMs } = this.#ground();
    const planned =
      command.kind === 'operation'
        ? command
        : planWrite(command, { ...context, signingAccountId: account.accountId }, nowMs);
    const { canonical } = planned;
    if (command.kind === 'place') this.#newest = command.orders.at(-1)?.clientOrderId ?? '';
    const isCommand = Object.hasOwn(COMMAND_TAGS, canonical.kind);
    const { scope, signer, nonce, ...signed } = isCommand
      ? this.#byAgent(canonical as never, account)
      : this.#byOwner(canonical);
    const { requestId, commandHash, signature } = signed;
    const address = isCommand ? account.address : this.#owner.address;
    return {
      path: planned.path,
      body: composeWrite(planned.body, { account: address, nonce, signature, signer }),
      query: { requestId, commandHash: commandHash as Hex, scope, nonce: nonce as never },
      expected: expectedOf(requestId, command, context.market),
    };
  }

  #byAgent(canonical: Parameters<typeof encodeCommand>[0], account: FundedSeedAccount) {
    const { key } = must(account.apiWallets[0], 'an API wallet');
    const wallet = createApiWallet({ crypto: this.#crypto, key, domain: this.#domain() });
    const scope = `agent:${wallet.address.toLowerCase()}`;
    const nonce = this.#nonces.get(scope) ?? 0n;
    const { sign, ...named } = wallet.prepare(encodeCommand(canonical), nonce as never);
    return { ...named, signature: sign(), scope, nonce, signer: wallet.address };
  }

  #byOwner(canonical: Parameters<typeof mainWalletMessage>[0]) {
    const { address, key, accountId } = this.#owner;
    const scope = `account:${accountId}`;
    const nonce = must(this.#nonces.get(scope), `the nonce of ${scope}`);
    const message = mainWalletMessage(canonical, { owner: address, nonce, hasher: this.#crypto });
    const digest = this.#domain().digest(structHasher(this.#crypto, message.typeString).hash(message.values));
    const requestId = makeRequestIdOf(this.#crypto, address)(digest);
    const signature = this.#crypto.sign(digest, key);
    return { requestId, commandHash: undefined, signature, scope, nonce, signer: undefined };
  }

  #domain() {
    return makeDomain(this.#crypto, this.exchange.settings.domain);
  }
}
