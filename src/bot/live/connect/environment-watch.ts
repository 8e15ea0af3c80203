/**
 * @module
 * Looks again, while a bot runs, at what was read before its first signature: markets and signing domain (obligations
 * O5, O10). A market that is not tradable any more is reported as a fact. What would make signatures or arithmetic wrong ends
 * the run, so that the next one reads everything again: once several answers in a row say so, for one may come from a node
 * that is being replaced. Another build of the gateway changes nothing. Failed reads say nothing; other parts notice a
 * gateway that is down. A market that refused an order, or takes none, is looked at more often until it takes orders. A look
 * that had to ask more than once rests a second for each time: a read has its own patience, and one look after the other
 * would ask a gateway that is down oftener than one that is up (obligation O118).
 */
import { type Clock, formatJson, type Log, messageOf, type Timer } from '../../../core/index.ts';
import { isTradable, type Market, type MarketSymbol } from '../../../domain/index.ts';
import { readExchange, readMarkets } from '../../../wire/gateway/index.ts';
import { CODEC_VERSION } from '../../../wire/protocol/index.ts';
import type { Environment } from './environment.ts';

/** What is watched, and who is notified. */
export interface EnvironmentWatchOptions {
  readonly environment: Environment;
  /** The markets of the configuration as they were at the start. */
  readonly markets: readonly Market[];
  readonly clock: Clock;
  readonly log: Log;
  /** The definition of a market has changed. */
  onMarket(market: Market): void;
  /** Nothing may be signed any more. Reported once. */
  onHalt(why: string, code: string): void;
}

/** The halt codes of a run whose environment has become another one. */
const CODEC_UNSUPPORTED = 'ENVIRONMENT_CODEC_UNSUPPORTED';
const DOMAIN_CHANGED = 'ENVIRONMENT_DOMAIN_CHANGED';
const MARKET_CHANGED = 'ENVIRONMENT_MARKET_CHANGED';

/** Why a run must end. */
interface Over {
  readonly code: string;
  readonly why: string;
}

/** How often it looks. Both reads together weigh little against a budget of thousands. */
const ENVIRONMENT_PERIOD_MS = 5_000;

/** The same while a market takes no orders, or has refused one within {@link SUSPECTED_MS}. */
const SUSPECTED_PERIOD_MS = 1_000;
const SUSPECTED_MS = 10_000;

/** After a look that asked for a resource more than once: this long for each time (obligation O118). */
const REST_PER_ATTEMPT_MS = 1_000;

/** How often a difference that ends the run is asked for again before it does, and how far apart. */
const CONFIRMATIONS = 2;
const CONFIRM_MS = 200;

/** What looks at the environment. */
export interface EnvironmentWatch {
  /** A market refused an order for what it is: it may be another one by now. */
  suspect(): void;
  /** Looks no more. */
  end(): void;
}

/** Looks from now on. */
export function watchEnvironment(options: EnvironmentWatchOptions): EnvironmentWatch {
  const known = new Map(options.markets.map((market) => [market.symbol, market]));
  let isLooking = false;
  let isOver = false;
  const halt = ({ code, why }: Over): void => {
    end();
    options.onHalt(`${code}: ${why}`, code);
  };
  /** How often each resource was asked for by the last look. */
  const asked = { exchange: 0, markets: 0 };
  const read = async (): Promise<Reading> => {
    const { reader } = options.environment.gateway;
    const info = await readExchange(reader, () => void asked.exchange++);
    const { markets } = await readMarkets(reader, info.collateralDecimals, () => void asked.markets++);
    return { info, markets };
  };
  /** True if each of the next answers would end the run, too. */
  const isConfirmed = async (): Promise<boolean> => {
    for (let asked = 0; asked < CONFIRMATIONS; asked++) {
      await new Promise<void>((resolve) => void options.clock.after(CONFIRM_MS, resolve));
      if (whyOver(await read(), options.environment.info, known) === undefined) return false;
    }
    return true;
  };
  const look = async (): Promise<void> => {
    const reading = await read();
    const over = whyOver(reading, options.environment.info, known);
    if (isOver) return;
    if (over !== undefined) {
      if (await isConfirmed()) {
        if (!isOver) halt(over);
      } else options.log.warn('the gateway answered otherwise once', { ...over });
      return;
    }
    for (const before of known.values()) {
      const market = marketIn(reading, before);
      if (formatJson(market) === formatJson(before)) continue;
      known.set(market.symbol, market);
      options.onMarket(market);
    }
  };
  let lookedAtMs = options.clock.monotonicMs();
  let suspectedAtMs = Number.NEGATIVE_INFINITY;
  const lookNow = (): void => {
    isLooking = true;
    lookedAtMs = options.clock.monotonicMs();
    asked.exchange = 0;
    asked.markets = 0;
    look()
      .catch((thrown: unknown) =>
        options.log.warn('the environment was not read again', { why: messageOf(thrown) }),
      )
      .finally(() => {
        isLooking = false;
      });
  };
  const isRested = (nowMs: number): boolean => {
    const attempts = Math.max(asked.exchange, asked.markets);
    return attempts <= 1 || nowMs - lookedAtMs >= attempts * REST_PER_ATTEMPT_MS;
  };
  const timer: Timer = options.clock.every(SUSPECTED_PERIOD_MS, () => {
    const nowMs = options.clock.monotonicMs();
    const isSuspected = nowMs - suspectedAtMs < SUSPECTED_MS || ![...known.values()].every(isTradable);
    const isDue = isSuspected || nowMs - lookedAtMs >= ENVIRONMENT_PERIOD_MS;
    if (!isLooking && isDue && isRested(nowMs)) lookNow();
  });
  const end = (): void => {
    isOver = true;
    timer.cancel();
  };
  return {
    suspect: () => {
      const nowMs = options.clock.monotonicMs();
      const isNew = nowMs - suspectedAtMs >= SUSPECTED_PERIOD_MS;
      suspectedAtMs = nowMs;
      if (isNew && !isLooking && !isOver && isRested(nowMs)) lookNow();
    },
    end,
  };
}

/** What was read of an environment. */
interface Reading {
  readonly info: Environment['info'];
  readonly markets: readonly Market[];
}

/** Why the run must end; `undefined`: it need not. */
function whyOver(
  reading: Reading,
  info: Environment['info'],
  known: ReadonlyMap<MarketSymbol, Market>,
): Over | undefined {
  // An answer that does not say its codec says nothing against the one that is known.
  const { codecVersion = info.codecVersion } = reading.info;
  if (codecVersion !== undefined && codecVersion !== CODEC_VERSION)
    return {
      code: CODEC_UNSUPPORTED,
      why: `expected canonical bytes of version ${CODEC_VERSION}, the exchange speaks version ${codecVersion} by now`,
    };
  if (signedBy(reading.info) !== signedBy(info))
    return { code: DOMAIN_CHANGED, why: 'the signing domain of the exchange has changed' };
  for (const before of known.values())
    if (countedBy(marketIn(reading, before)) !== countedBy(before))
      return {
        code: MARKET_CHANGED,
        why: `decimals or signing id of market ${before.symbol} have changed`,
      };
  return undefined;
}

function marketIn({ markets }: Reading, before: Market): Market {
  return markets.find(({ symbol }) => symbol === before.symbol) ?? { ...before, status: 'Absent' };
}

/** What every signature depends on beside the codec. Builds come and go while nodes are replaced. */
function signedBy({ domain, collateralDecimals }: Environment['info']): string {
  return formatJson({ domain, collateralDecimals });
}

/** What ticks, lots and signed structs of a market depend on. */
function countedBy({ signingMarketId, priceDecimals, sizeDecimals, quantumsPerTickLot }: Market): string {
  return formatJson({ signingMarketId, priceDecimals, sizeDecimals, quantumsPerTickLot });
}
