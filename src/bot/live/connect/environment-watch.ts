/**
 * @module
 * Looks again, while a bot runs, at what was read before its first signature: markets and signing domain (obligations
 * O5, O10). A market that is not tradable any more is reported as a fact. What would make signatures or arithmetic wrong ends
 * the run, so that the next one reads everything again. Failed reads say nothing; other parts notice a gateway that is down.
 */
import { type Clock, formatJson, type Log, messageOf, type Timer } from '../../../core/index.ts';
import type { Market } from '../../../domain/index.ts';
import { readExchange, readMarkets } from '../../../wire/gateway/index.ts';
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
  onHalt(why: string): void;
}

/** How often it looks. Both reads together weigh little against a budget of thousands. */
const ENVIRONMENT_PERIOD_MS = 5_000;

/** Looks from now on; the function it returns ends that. */
export function watchEnvironment(options: EnvironmentWatchOptions): () => void {
  const known = new Map(options.markets.map((market) => [market.symbol, market]));
  let isLooking = false;
  let isOver = false;
  const halt = (why: string): void => {
    end();
    options.onHalt(why);
  };
  const look = async (): Promise<void> => {
    const { environment, onMarket } = options;
    const { reader } = environment.gateway;
    const info = await readExchange(reader);
    const table = await readMarkets(reader, info.collateralDecimals);
    if (isOver) return;
    if (signedBy(info) !== signedBy(environment.info)) {
      halt('version or signing domain of the exchange have changed');
      return;
    }
    for (const before of known.values()) {
      const market =
        table.markets.find(({ symbol }) => symbol === before.symbol) ??
        ({ ...before, status: 'Absent' } as const);
      if (formatJson(market) === formatJson(before)) continue;
      if (countedBy(market) !== countedBy(before)) {
        halt(`decimals or signing id of market ${market.symbol} have changed`);
        return;
      }
      known.set(market.symbol, market);
      onMarket(market);
    }
  };
  const timer: Timer = options.clock.every(ENVIRONMENT_PERIOD_MS, () => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((thrown: unknown) =>
        options.log.warn('the environment was not read again', { why: messageOf(thrown) }),
      )
      .finally(() => {
        isLooking = false;
      });
  });
  const end = (): void => {
    isOver = true;
    timer.cancel();
  };
  return end;
}

/** What every signature depends on. */
function signedBy({ domain, version, collateralDecimals }: Environment['info']): string {
  return formatJson({ domain, version, collateralDecimals });
}

/** What ticks, lots and signed structs of a market depend on. */
function countedBy({ signingMarketId, priceDecimals, sizeDecimals, quantumsPerTickLot }: Market): string {
  return formatJson({ signingMarketId, priceDecimals, sizeDecimals, quantumsPerTickLot });
}
