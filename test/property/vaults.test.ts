import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { must, seededRandom, VirtualClock } from '../../src/core/index.ts';
import { type Quantums, quantums, ticks } from '../../src/domain/index.ts';
import { Exchange, type FundedSeedAccount } from '../../src/exchange/index.ts';
import { worthOf } from '../../src/exchange/state/shares.ts';
import { type Crypto, loadCrypto } from '../../src/wire/crypto/index.ts';

const MEMBERS = 3;
const CASH = 10_000_000_000n;
const BTC = 'BTC-USD';

/** One thing that happens. `who` is a member; amounts are in quantums, parts in thousandths of what a member has. */
type Step =
  | { readonly kind: 'deposit'; readonly who: number; readonly amount: bigint }
  | { readonly kind: 'redeem'; readonly who: number; readonly thousandths: bigint }
  | { readonly kind: 'trade'; readonly side: 'buy' | 'sell'; readonly lots: number }
  | { readonly kind: 'price'; readonly indexTicks: number }
  | { readonly kind: 'cap'; readonly depositCap: bigint; readonly leverageMax: number }
  | { readonly kind: 'funding' };

const WHO = fc.integer({ min: 0, max: MEMBERS - 1 });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deposit'),
      who: WHO,
      amount: fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: CASH / 10n, max: CASH / 2n })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('redeem'),
      who: WHO,
      thousandths: fc.constantFrom(1n, 333n, 1_000n, 1_001n),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('trade'),
      side: fc.constantFrom('buy', 'sell'),
      lots: fc.integer({ min: 1, max: 5_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('price'),
      indexTicks: fc.integer({ min: 800_000, max: 1_200_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cap'),
      depositCap: fc.oneof(fc.constant(0n), fc.bigInt({ min: CASH, max: CASH * 4n })),
      leverageMax: fc.constantFrom(0, 1, 5),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'funding' }) },
);

let crypto: Crypto;
beforeAll(async () => {
  crypto = await loadCrypto();
});

/** An exchange with members, a vault of the first of them, and somebody who takes the other side. */
class Scene {
  readonly clock = new VirtualClock(1_767_700_020_000);
  readonly exchange = new Exchange({
    clock: this.clock,
    random: seededRandom(3),
    crypto,
    settings: { checksSignatures: false },
  });
  readonly members: readonly FundedSeedAccount[];
  readonly vault: number;
  readonly #maker: number;
  #outside: bigint;

  constructor() {
    const { control } = this.exchange;
    this.exchange.start();
    this.members = Array.from({ length: MEMBERS }, () =>
      control.createFundedAccount({ balance: quantums(CASH), apiWallets: 0 }),
    );
    this.#maker = control.createParticipant(quantums(CASH * 1_000n));
    const { receipt } = this.#submit(0, (account) => ({ kind: 'CreateVault', account, name: 'v' }));
    this.vault = must(receipt.vault, 'the new vault').vault;
    this.#outside = this.#cash();
  }

  run(step: Step): void {
    const { control } = this.exchange;
    const { vault } = this;
    switch (step.kind) {
      case 'deposit':
        this.#deposit(step.who, step.amount);
        break;
      case 'redeem':
        this.#redeem(step.who, step.thousandths);
        break;
      case 'trade':
        this.#trade(step.side, step.lots);
        break;
      case 'price':
        control.price({ symbol: BTC, price: ticks(step.indexTicks) });
        break;
      case 'cap':
        this.#submit(0, (account) => ({ ...step, kind: 'ConfigureVault', account, vault }));
        break;
      default:
        control.settleFunding();
    }
    this.clock.advance(this.exchange.settings.blockMs);
  }

  /** Cash of everybody, the house's included, is what came in from outside; shares add up. */
  check(): void {
    expect(this.#cash()).toBe(this.#outside);
    const shares = this.members.map(({ accountId }) => this.#read(accountId));
    const { json } = this.get(`/v1/vaults/${this.vault}`);
    expect(shares.reduce((sum, own) => sum + own, 0n)).toBe(toUnits(json.shares));
    const ledger = this.get(`/v1/account/ledger?vault=${this.vault}&limit=1000`).json.data;
    const sum = ledger.reduce((total: bigint, { amount }: { amount: string }) => total + toUnits(amount), 0n);
    expect(sum).toBe(this.exchange.control.venue.account(this.vault).collateral);
  }

  get(path: string) {
    const reply = this.exchange.handle({ method: 'GET', path, headers: {}, body: '', ip: path });
    if (reply instanceof Promise || reply === 'lost') throw new Error('expected an answer at once');
    return { json: JSON.parse(reply.body) };
  }

  #deposit(who: number, amount: bigint): void {
    const { accountId } = must(this.members[who], 'a member');
    const { venue } = this.exchange.control;
    const before = { shares: this.#read(accountId), cash: venue.account(accountId).collateral };
    const { receipt } = this.#submit(who, (account) => ({
      kind: 'DepositVault',
      account,
      vault: this.vault,
      amount,
    }));
    const minted = receipt.vault?.shares ?? 0n;
    expect(minted > 0n).toBe(receipt.status === 'executed');
    expect(this.#read(accountId)).toBe(before.shares + minted);
    expect(venue.account(accountId).collateral).toBe(before.cash - (minted > 0n ? amount : 0n));
  }

  #redeem(who: number, thousandths: bigint): void {
    const { accountId } = must(this.members[who], 'a member');
    const owned = this.#read(accountId);
    const shares = (owned * thousandths) / 1_000n;
    if (shares === 0n) return;
    const { equity } = this.exchange.control.venue.account(this.vault);
    const total = toUnits(this.get(`/v1/vaults/${this.vault}`).json.shares);
    const { receipt } = this.#submit(who, (account) => ({
      kind: 'RedeemVault',
      account,
      vault: this.vault,
      shares,
    }));
    if (shares > owned) expect(receipt.reason).toBe('InsufficientShares');
    const paid = receipt.vault?.amount ?? 0n;
    expect(paid).toBeLessThanOrEqual(worthOf(owned, { equity, shares: total }));
    expect(this.#read(accountId)).toBe(receipt.status === 'executed' ? owned - shares : owned);
  }

  #trade(side: 'buy' | 'sell', lots: number): void {
    const { control } = this.exchange;
    const { markTicks } = control.venue.marketView(0);
    const order = { market: 0, price: markTicks, lots: BigInt(lots), reduceOnly: false, goodTilMs: 0 };
    const rest = { nowMs: 0, router: 0, routerFeePpm: 0, kind: 'PlaceOrder' } as const;
    const other = side === 'buy' ? 'sell' : 'buy';
    control.execute({ ...order, ...rest, account: this.#maker, side: other, tif: 'gtc' });
    control.execute({ ...order, ...rest, account: this.vault, side, tif: 'ioc' });
    control.execute({ kind: 'CancelAll', account: this.#maker });
  }

  #submit(who: number, operationOf: Parameters<Exchange['control']['submit']>[1]) {
    const { address } = must(this.members[who], 'a member');
    return { receipt: this.exchange.control.submit({ owner: address }, operationOf) };
  }

  #read(accountId: number): bigint {
    const member = must(
      this.members.find((each) => each.accountId === accountId),
      'a member',
    );
    const { vaults } = this.get(`/v1/account/vaults?address=${member.address}`).json;
    return vaults.length === 0 ? 0n : toUnits(vaults[0].shares);
  }

  #cash(): bigint {
    const { venue } = this.exchange.control;
    const accounts = [0, this.vault, this.#maker, ...this.members.map(({ accountId }) => accountId)];
    return accounts.reduce((sum, id) => sum + (venue.account(id).collateral as Quantums), 0n);
  }
}

function toUnits(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

describe('a vault that trades while members come and go', () => {
  test('no unit of money or share appears or disappears, and nobody takes more than the own part', () => {
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
        const scene = new Scene();
        for (const step of steps) {
          scene.run(step);
          scene.check();
        }
        scene.exchange.stop();
      }),
      { numRuns: 40 },
    );
  });
});
