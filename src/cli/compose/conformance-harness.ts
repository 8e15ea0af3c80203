/**
 * @module
 * The embedded exchange as a harness for the conformance suite: real sockets on a free port, time that follows the wall
 * clock and can be pushed ahead, and the strings of its control as the suite's port wants them (rule R2: it satisfies
 * `Harness` of conformance by shape).
 */
import { type Clock, must, parseScaled, seededRandom, VirtualClock } from '../../core/index.ts';
import { type Address, ppm, quantums } from '../../domain/index.ts';
import type { RequestFault } from '../../exchange/api/index.ts';
import { Exchange } from '../../exchange/kernel/index.ts';
import { startServer } from '../../exchange/server/index.ts';
import { COLLATERAL_DECIMALS } from '../../exchange/state/index.ts';
import { type Crypto, loadCrypto } from '../../wire/crypto/index.ts';

/** What happens to the next requests that match. */
interface Disturbance {
  readonly kind: 'dropResponse' | 'dropRequest' | 'deliverTwice' | 'httpError' | 'reject';
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST';
  readonly path?: string;
  readonly times?: number;
}

/** How often the exchange's clock follows the wall clock. */
const PUMP_MS = 5;
/** Budgets while no check is about them: nobody waits for a window. */
const WIDE_BUDGET = 100_000_000;

/** A builder dex of the second market, and a fee tier that nobody reaches: so that there is something to tell. */
const DEX = {
  id: 'eth-dex',
  name: 'An ether dex',
  deployer: '0x00000000000000000000000000000000000000dd' as Address,
  symbols: ['ETH-USD'],
  feeScalePpm: ppm(500_000),
  deployerFeePpm: ppm(40),
};
const TIER = {
  tier: 1,
  volume: quantums(10n ** 18n),
  takerFeePpm: ppm(350),
  makerFeePpm: ppm(-20),
};

/** An exchange that conformance can be run against, with its strings. */
export async function startConformanceHarness(options: { readonly clock: Clock; readonly seed?: number }) {
  const { clock, seed = 7 } = options;
  const crypto = await loadCrypto();
  const time = new VirtualClock(clock.nowMs());
  const exchange = new Exchange({
    clock: time,
    random: seededRandom(seed),
    crypto,
    // A replica is there, with no lag of its own: how far it is behind is the checks' affair.
    settings: {
      replicaLagMs: 1,
      ipWeightLimit: WIDE_BUDGET,
      accountWeightLimit: WIDE_BUDGET,
      dexes: [DEX],
      feeTiers: [TIER],
    },
  });
  exchange.control.setReplicaLag(0);
  exchange.start();
  const server = await startServer(exchange);
  const pump = clock.every(PUMP_MS, () => follow(time, clock));
  let lastMs = clock.monotonicMs();
  function follow(virtual: VirtualClock, real: Clock): void {
    const nowMs = real.monotonicMs();
    virtual.advance(nowMs - lastMs);
    lastMs = nowMs;
  }
  const harness = harnessOf({
    exchange,
    time,
    crypto,
    end: async () => {
      pump.cancel();
      await server.close();
      exchange.stop();
    },
  });
  return { baseUrl: server.baseUrl, harness };
}

interface HarnessParts {
  readonly exchange: Exchange;
  readonly time: VirtualClock;
  readonly crypto: Crypto;
  end(): Promise<void>;
}

function harnessOf({ exchange, time, end }: HarnessParts) {
  const { control, settings } = exchange;
  /** Markets that a check has touched. */
  const touched = new Set<string>();
  const amountOf = (text: string) => quantums(must(parseScaled(text, COLLATERAL_DECIMALS), 'an amount'));
  return {
    createAccount: async ({ amount = '1000000', apiWallets = 2 } = {}) => {
      const {
        address,
        privateKey,
        apiWallets: wallets,
      } = control.createFundedAccount({
        amount: amountOf(amount),
        apiWallets,
      });
      return {
        address,
        privateKey,
        apiWallets: wallets.map((wallet) => ({ address: wallet.address, privateKey: wallet.privateKey })),
      };
    },
    fund: async (address: string, amount: string, subaccount = 0) => {
      control.fund(address as Address, amountOf(amount), subaccount);
    },
    withdraw: async (address: string, amount: string) => {
      const account = must(control.accountId(address as Address), `the account of ${address}`);
      control.withdraw(account, amountOf(amount));
    },
    createFreshVault: async (name: string, creator?: string) =>
      control.createFreshVault(name, creator as Address | undefined),
    advance: (ms: number) => time.advanceAsync(ms),
    setIndexPrice: async (symbol: string, price: string) => {
      const { market } = must(
        settings.markets.find((one) => one.market.symbol === symbol),
        `the market ${symbol}`,
      );
      touched.add(symbol);
      control.setIndexPrice(symbol, Number(must(parseScaled(price, market.priceDecimals), 'a price')));
    },
    setMarketStatus: async (symbol: string, status: string) => {
      touched.add(symbol);
      control.setMarketStatus(symbol, status);
    },
    settleFunding: async () => control.settleFunding(),
    disturb: async (fault: Disturbance) => disturb(control, fault),
    dropFrames: async () => control.dropFrames(),
    forceLagged: async (dropped = 0) => control.forceLagged(dropped),
    changeEpoch: async (options: { readonly keepStreams?: boolean } = {}) =>
      control.changeEpoch(undefined, options),
    setHistoryGaps: async (gaps: readonly { readonly first: number; readonly last: number }[]) =>
      control.setHistoryGaps(gaps),
    setReplicaLag: async (ms: number) => control.setReplicaLag(ms),
    setDurabilityLag: async (ms: number) => control.setDurabilityLag(ms),
    setBudget: async (bucket: 'ip' | 'account', quota: number) => control.setBudget(bucket, quota),
    reset: async () => {
      control.calm();
      control.setHistoryGaps([]);
      control.setReplicaLag(0);
      control.setDurabilityLag(0);
      for (const bucket of ['ip', 'account'] as const) control.setBudget(bucket, WIDE_BUDGET);
      for (const { market, indexTicks } of settings.markets) {
        if (!touched.delete(market.symbol)) continue;
        control.setMarketStatus(market.symbol, 'Active');
        control.setIndexPrice(market.symbol, indexTicks);
      }
    },
    close: end,
  };
}

function disturb(control: Exchange['control'], fault: Disturbance): void {
  const { kind, code = 'Unavailable', headers, method, path, times } = fault;
  const made = faultOf(kind, code, headers);
  control.disturb({
    fault: made,
    matches: (request) =>
      (method === undefined || request.method === method) &&
      (path === undefined || request.path.startsWith(path)),
    ...(times === undefined ? {} : { times }),
  });
}

function faultOf(
  kind: Disturbance['kind'],
  code: string,
  headers: Readonly<Record<string, string>> | undefined,
): RequestFault {
  switch (kind) {
    case 'httpError':
      return {
        kind,
        refusal: { code, message: `forced ${code}`, ...(headers === undefined ? {} : { headers }) },
      };
    case 'reject':
      return { kind, forced: { reason: code, isNonceConsumed: true } };
    default:
      return { kind };
  }
}
