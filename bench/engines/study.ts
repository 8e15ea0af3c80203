/** @module The rule as a configuration of `ballast backtest`, from the numbers that the other engines read too. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** The numbers in `rule.json`. */
export interface Rule {
  readonly periodMs: number;
  readonly sizeLots: number;
  readonly positionLotsMax: number;
  readonly latencyMs: number;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  readonly queueExponent: number;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

const PPM_PER_BPS = 100;

/** Writes the configuration at `path` for the market `symbol`. Limits stand at what a configuration allows. */
export function writeStudy(path: string, symbol: string, rule: Rule): void {
  const { periodMs, sizeLots, positionLotsMax } = rule;
  const latency = `${rule.latencyMs}ms`;
  const study = {
    environment: { name: 'sim' },
    markets: [{ symbol }],
    strategies: [
      {
        name: 'follower',
        module: join(import.meta.dirname, 'follow-touch.ts'),
        markets: [symbol],
        parameters: { periodMs, sizeLots, positionLotsMax },
      },
    ],
    risk: {
      capital: 1_000_000,
      maxSameSideFillsPer10s: 100_000,
      maxTurnoverPer10s: '100000%',
      maxDuplicateOrdersPerSecond: 100,
      maxWritesPerSecond: 100,
      writeBurst: 100,
      maxAccountWritesPerSecond: 100,
    },
    paper: {
      collateral: 1_000_000,
      fillModel: 'queue-power',
      queueExponent: rule.queueExponent,
      feedLatency: latency,
      entryLatency: latency,
      responseLatency: latency,
      makerFeeBps: rule.makerFeePpm / PPM_PER_BPS,
      takerFeeBps: rule.takerFeePpm / PPM_PER_BPS,
    },
  };
  writeFileSync(path, stringify(study));
}
