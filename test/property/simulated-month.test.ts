import { beforeAll, describe, expect, test } from 'vitest';
import { must, type Random, seededRandom, VirtualClock } from '../../src/core/index.ts';
import { type Address, type CanonicalCommand, ppm, quantums, ticks } from '../../src/domain/index.ts';
import { Exchange } from '../../src/exchange/index.ts';
import { type Crypto, loadCrypto } from '../../src/wire/crypto/index.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const USDC = 1_000_000n;
const BTC = { market: 0, symbol: 'BTC-USD', ticksPerDollar: 10 };

let crypto: Crypto;
beforeAll(async () => {
  crypto = await loadCrypto();
});

/** A line of an account's ledger, in quantums. */
interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly amount: bigint;
}

/** An exchange that lives for a month: a trader, a depositor, a gambler, a vault, and the house. */
class Month {
  readonly clock = new VirtualClock(1_767_700_020_000);
  readonly exchange = new Exchange({
    clock: this.clock,
    random: seededRandom(30),
    crypto,
    settings: {
      blockMs: 60_000,
      takerFeePpm: ppm(500),
      makerFeePpm: ppm(-20),
      checksSignatures: false,
      insuranceFund: quantums(50n * USDC),
    },
  });
  readonly #random: Random = seededRandom(31);
  readonly trader: { readonly address: Address; readonly accountId: number };
  readonly depositor: { readonly address: Address; readonly accountId: number };
  readonly gambler: { readonly address: Address; readonly accountId: number };
  readonly vault: number;
  readonly crowd: number;

  constructor() {
    const { control } = this.exchange;
    this.exchange.start();
    const funded = (usdc: bigint) =>
      control.createFundedAccount({ balance: quantums(usdc * USDC), apiWallets: 0 });
    this.trader = funded(100_000n);
    this.depositor = funded(20_000n);
    this.gambler = funded(1_000n);
    this.crowd = control.createParticipant(quantums(10_000_000n * USDC));
    const created = this.#submit(this.trader.address, (account) => ({
      kind: 'CreateVault',
      account,
      name: 'Month',
    }));
    this.vault = must(created.vault, 'the new vault').vault;
  }

  /** One day: prices move, everybody trades with the crowd, money comes into the vault and out of it. */
  day(number: number): void {
    const { control } = this.exchange;
    const { vault } = this;
    for (let hour = 0; hour < 24; hour++) {
      const { indexTicks } = control.venue.marketView(BTC.market);
      const moved = Math.round(indexTicks * (1 + this.#random.integer(-80, 80) / 10_000));
      control.price({
        symbol: BTC.symbol,
        price: ticks(number === 20 && hour === 12 ? Math.round(indexTicks * 0.86) : moved),
      });
      if (hour % 6 === 0) this.#trade(this.trader.accountId, this.#random.integer(1, 400));
      if (hour % 8 === 3) this.#trade(vault, this.#random.integer(1, 200));
      this.clock.advance(DAY_MS / 24);
    }
    if (number === 18) this.#trade(this.gambler.accountId, 1_500, 'buy');
    this.#submit(this.depositor.address, (account) =>
      number % 3 === 2
        ? { kind: 'RedeemVault', account, vault, shares: 101n * USDC + 7n }
        : { kind: 'DepositVault', account, vault, amount: 97n * USDC + 1n },
    );
    if (number === 1)
      this.#submit(this.trader.address, (account) => ({
        kind: 'DepositVault',
        account,
        vault,
        amount: 5_000n * USDC,
      }));
  }

  /** Every line of a ledger, by pages. */
  ledger(selector: string): readonly Entry[] {
    const entries: Entry[] = [];
    let page = this.#get(`/v1/account/ledger?${selector}&limit=100`);
    for (;;) {
      for (const { id, kind, amount } of page.data)
        entries.push({ id, kind, amount: BigInt(amount.replace('.', '')) });
      if (!page.hasMore) return entries;
      const bounds = `&after=${page.next}&epoch=${page.epoch}&upper=${page.upper}`;
      page = this.#get(`/v1/account/ledger?${selector}&limit=100${bounds}`);
    }
  }

  /** Cash of everybody, the house's included. */
  cash(): bigint {
    const { venue } = this.exchange.control;
    let sum = venue.account(0).collateral as bigint;
    for (let id = 1; venue.hasAccount(id); id++) sum += venue.account(id).collateral;
    return sum;
  }

  #get(path: string) {
    const reply = this.exchange.handle({ method: 'GET', path, headers: {}, body: '', ip: path });
    if (reply instanceof Promise || reply === 'lost') throw new Error('expected an answer at once');
    return JSON.parse(reply.body);
  }

  #submit(owner: Address, operationOf: Parameters<Exchange['control']['submit']>[1]) {
    return this.exchange.control.submit({ owner }, operationOf);
  }

  /** Half of it taken from the crowd, half given to it: fees one time, rebates the other. */
  #trade(account: number, lots: number, only?: 'buy'): void {
    const { control } = this.exchange;
    const side = only ?? (this.#random.chance(0.5) ? 'buy' : 'sell');
    const price = control.venue.marketView(BTC.market).markTicks;
    const order = (who: number, buys: boolean, tif: 'gtc' | 'ioc'): CanonicalCommand => ({
      kind: 'PlaceOrder',
      account: who,
      market: BTC.market,
      side: buys ? 'buy' : 'sell',
      price,
      lots: BigInt(lots),
      tif,
      reduceOnly: false,
      goodTilMs: 0,
      nowMs: 0,
      router: 0,
      routerFeePpm: 0,
    });
    const buys = side === 'buy';
    const isTaker = only !== undefined || this.#random.chance(0.5);
    control.execute(order(isTaker ? this.crowd : account, isTaker ? !buys : buys, 'gtc'));
    control.execute(order(isTaker ? account : this.crowd, isTaker ? buys : !buys, 'ioc'));
    for (const who of [account, this.crowd]) control.execute({ kind: 'CancelAll', account: who });
  }
}

describe('a simulated month', () => {
  test('with fees, rebates, funding, liquidation and a vault balances to the last unit', {
    timeout: 60_000,
  }, () => {
    const month = new Month();
    const { venue } = month.exchange.control;
    const deposited = (100_000n + 20_000n + 1_000n + 10_000_000n + 50n) * USDC;
    const accounts: readonly (readonly [string, number])[] = [
      [`address=${month.trader.address}`, month.trader.accountId],
      [`address=${month.depositor.address}`, month.depositor.accountId],
      [`address=${month.gambler.address}`, month.gambler.accountId],
      [`vault=${month.vault}`, month.vault],
    ];
    for (let day = 1; day <= DAYS; day++) {
      month.day(day);
      expect(month.cash()).toBe(deposited);
      for (const [selector, id] of accounts) {
        const entries = month.ledger(selector);
        const account = venue.account(id);
        expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(account.collateral);
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
        const open = venue
          .positions(id)
          .reduce(
            (sum, { costBasis, unrealizedPnl, accruedFunding }) =>
              sum + costBasis + unrealizedPnl + accruedFunding,
            0n,
          );
        expect(account.equity).toBe(account.collateral + open);
      }
    }
    const kinds = new Set(accounts.flatMap(([selector]) => month.ledger(selector).map(({ kind }) => kind)));
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'deposit',
        'trade',
        'taker_fee',
        'maker_rebate',
        'funding',
        'vault_deposit',
        'vault_redeem',
      ]),
    );
    expect(venue.positions(month.gambler.accountId)).toEqual([]);
    const gambled = month.ledger(`address=${month.gambler.address}`).map(({ kind }) => kind);
    expect(gambled).toContain('insurance');
    month.exchange.stop();
  });
});
