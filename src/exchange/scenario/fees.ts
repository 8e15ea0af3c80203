/** @module Sections of a scenario about money of the exchange: builder dexes, fee tiers, the insurance fund. */
import { parseScaled } from '../../core/index.ts';
import type { YamlPath } from '../../core/yaml/index.ts';
import { type Address, ppm, type Quantums, quantums } from '../../domain/index.ts';
import type { FeeTier, VenueMarket } from '../engine/index.ts';
import type { DexSettings } from '../state/index.ts';
import { COLLATERAL_DECIMALS, defaultSettings } from '../state/index.ts';
import { DEX_KEYS, FEE_TIER_KEYS } from './keys.ts';
import type { Findings } from './values.ts';

/** Builder dexes; a market belongs to one at most. */
export function dexesOf(
  findings: Findings,
  items: readonly unknown[],
  markets: readonly VenueMarket[] | undefined,
): readonly DexSettings[] {
  const known = (markets ?? defaultSettings().markets).map(({ market }): string => market.symbol);
  const ids = new Set<string>();
  const taken = new Set<string>();
  return items.flatMap((item, at) => {
    const given = findings.section(['dexes', at], DEX_KEYS, item);
    if (given === undefined) return [];
    const { id, name, deployer, symbols, feeScalePpm, deployerFeeBps } = given;
    if (ids.has(id))
      findings.note(['dexes', at, 'id'], { expected: 'an id of its own', found: `${id} again` });
    ids.add(id);
    for (const [place, symbol] of symbols.entries()) {
      const path = ['dexes', at, 'symbols', place];
      if (!known.includes(symbol)) findings.note(path, { expected: `one of ${known.join(', ')}` });
      if (taken.has(symbol))
        findings.note(path, { expected: 'each market in one dex', found: `${symbol} again` });
      taken.add(symbol);
    }
    const rates = { feeScalePpm: ppm(feeScalePpm), deployerFeePpm: ppm(deployerFeeBps ?? 0) };
    return { id, name: name ?? id, deployer: deployer as Address, symbols, ...rates };
  });
}

/** Fee tiers, numbered from 1 in the order of the file, which ascends. */
export function feeTiersOf(findings: Findings, items: readonly unknown[]): readonly FeeTier[] {
  let before = 0n;
  return items.flatMap((item, at) => {
    const given = findings.section(['feeTiers', at], FEE_TIER_KEYS, item);
    const volume = given && amountOf(findings, ['feeTiers', at, 'volume'], given.volume);
    if (given === undefined || volume === undefined) return [];
    if (volume <= before)
      findings.note(['feeTiers', at, 'volume'], {
        expected: 'more than the tier before',
      });
    before = volume;
    const { takerFeeBps, makerFeeBps } = given;
    return { tier: at + 1, volume, takerFeePpm: ppm(takerFeeBps), makerFeePpm: ppm(makerFeeBps) };
  });
}

/** An amount of collateral; `undefined` when it has too many decimals. */
export function amountOf(findings: Findings, path: YamlPath, text: string): Quantums | undefined {
  const amount = parseScaled(text, COLLATERAL_DECIMALS);
  if (amount !== undefined) return quantums(amount);
  findings.note(path, { expected: `at most ${COLLATERAL_DECIMALS} decimals` });
  return undefined;
}
