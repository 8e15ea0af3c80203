/**
 * @module Sections of a scenario, once read, as settings of an exchange. What needs two keys at once is checked here.
 */
import { type Parameters, parseInstantMs, parseScaled, type ValuesOf } from '../../core/index.ts';
import type { YamlPath } from '../../core/yaml/index.ts';
import { type Ppm, parsePrice, ppm, quantums } from '../../domain/index.ts';
import type { VenueMarket } from '../engine/index.ts';
import { defaultSyntheticParticipants, type SyntheticParticipantsSettings } from '../flow/index.ts';
import {
  COLLATERAL_DECIMALS,
  defaultSettings,
  type ExchangeSettings,
  perpetual,
  QUIRK_IDS,
  QUIRKS,
  type QuirkId,
  type Quirks,
} from '../state/index.ts';
import type { MARKET_KEYS, PARTICIPANT_KEYS, SETTINGS_KEYS } from './keys.ts';

/** What reads sections and keeps findings; see `read.ts`. */
export interface Findings {
  note(
    path: YamlPath,
    problem: { readonly expected: string; readonly found?: string },
    isName?: boolean,
  ): void;
  section<P extends Parameters>(path: YamlPath, keys: P, value: unknown): ValuesOf<P> | undefined;
}

/** Settings of the exchange that were given, but for amounts. */
export function settingsOf(given: ValuesOf<typeof SETTINGS_KEYS> | undefined): Partial<ExchangeSettings> {
  if (given === undefined) return {};
  const {
    blockInterval,
    replicas,
    durabilityLag,
    readTimeout,
    resultTimeout,
    fundingInterval,
    chainId,
    takerFeeBps,
    makerFeeBps,
    maxBuilderFeeBps,
    liquidationFeeBps,
  } = given;
  const { ipWeightLimit, accountWeightLimit, maxOpenOrders, maxQueuedFrames, basePath, headerPrefix, epoch } =
    given;
  return defined({
    blockMs: blockInterval,
    replicas,
    durabilityLagMs: durabilityLag,
    readTimeoutMs: readTimeout,
    resultTimeoutMs: resultTimeout,
    fundingIntervalMs: fundingInterval,
    takerFeePpm: rateOf(takerFeeBps),
    makerFeePpm: rateOf(makerFeeBps),
    builderFeeMaxPpm: rateOf(maxBuilderFeeBps),
    liquidationFeePpm: rateOf(liquidationFeeBps),
    ipWeightLimit,
    accountWeightLimit,
    openOrdersMax: maxOpenOrders,
    queuedFramesMax: maxQueuedFrames,
    basePath,
    headerPrefix,
    epoch,
    domain: chainId === undefined ? undefined : { ...defaultSettings().domain, chainId },
  });
}

/** A fee of the file, already an integer of ppm, as the rate of the engine. */
const rateOf = (fee: number | undefined): Ppm | undefined => (fee === undefined ? undefined : ppm(fee));

/** Without the keys that are `undefined`. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Answers to open questions. */
export function quirksOf(findings: Findings, value: unknown): Partial<Quirks> {
  if (value === undefined) return {};
  const quirks: Record<string, string> = {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    findings.note(['quirks'], { expected: 'a section with keys A1 to A20' });
    return {};
  }
  for (const [id, answer] of Object.entries(value)) {
    if (!QUIRK_IDS.includes(id as QuirkId)) {
      findings.note(['quirks', id], { expected: 'A1 to A20' }, true);
      continue;
    }
    const answers: readonly string[] = QUIRKS[id as QuirkId].values;
    if (answers.includes(answer)) quirks[id] = answer;
    else
      findings.note(['quirks', id], {
        expected: `one of ${answers.join(', ')}`,
      });
  }
  return quirks as Partial<Quirks>;
}

/** Markets in the order of the file. */
export function marketsOf(
  findings: Findings,
  items: readonly unknown[],
  keys: typeof MARKET_KEYS,
): readonly VenueMarket[] {
  if (items.length === 0) findings.note(['markets'], { expected: 'at least one market', found: 'none' });
  const symbols = new Set<string>();
  const ids = new Set<number>();
  return items.flatMap((item, at) => {
    const given = findings.section(['markets', at], keys, item);
    if (given === undefined) return [];
    const id = given.signingMarketId ?? at;
    if (symbols.has(given.symbol))
      findings.note(['markets', at, 'symbol'], {
        expected: 'each market once',
        found: `${given.symbol} again`,
      });
    if (ids.has(id))
      findings.note(['markets', at, 'signingMarketId'], {
        expected: 'a unique number',
        found: `${id} again`,
      });
    symbols.add(given.symbol);
    ids.add(id);
    return marketOf(findings, given, { at, id }) ?? [];
  });
}

function marketOf(
  findings: Findings,
  given: ValuesOf<typeof MARKET_KEYS>,
  { at, id }: { readonly at: number; readonly id: number },
): VenueMarket | undefined {
  const {
    symbol,
    priceDecimals,
    sizeDecimals,
    indexPrice,
    minNotional,
    initialMarginPpm,
    maintenanceFractionPpm,
  } = given;
  if (priceDecimals + sizeDecimals > COLLATERAL_DECIMALS) {
    const expected = `at most ${COLLATERAL_DECIMALS} together with priceDecimals`;
    findings.note(['markets', at, 'sizeDecimals'], { expected, found: String(sizeDecimals) });
    return undefined;
  }
  const made = perpetual({ symbol, signingMarketId: id, priceDecimals, sizeDecimals, indexTicks: 1 });
  const indexTicks = parsePrice(made.market, indexPrice);
  const least =
    minNotional === undefined ? made.market.minNotional : parseScaled(minNotional, COLLATERAL_DECIMALS);
  if (indexTicks === undefined)
    findings.note(['markets', at, 'indexPrice'], {
      expected: `a price above zero with at most ${priceDecimals} decimals`,
    });
  if (least === undefined)
    findings.note(['markets', at, 'minNotional'], {
      expected: `at most ${COLLATERAL_DECIMALS} decimals`,
    });
  if (indexTicks === undefined || least === undefined) return undefined;
  const margins = defined({
    initialMarginPpm: initialMarginPpm === undefined ? undefined : ppm(initialMarginPpm),
    maintenanceFractionPpm: maintenanceFractionPpm === undefined ? undefined : ppm(maintenanceFractionPpm),
  });
  return { indexTicks, market: { ...made.market, ...margins, minNotional: quantums(least) } };
}

/** The participants; `undefined`: none. */
export function participantsOf(
  findings: Findings,
  given: ValuesOf<typeof PARTICIPANT_KEYS> | undefined,
  markets: readonly VenueMarket[] | undefined,
): Partial<SyntheticParticipantsSettings> | undefined {
  if (given === undefined || given.kind === 'none') return undefined;
  const presets = defaultSyntheticParticipants();
  const known = (markets ?? defaultSettings().markets).map(({ market }) => market);
  const chosen = (given.markets ?? []).flatMap((symbol, at) => {
    const market = known.find((one) => one.symbol === symbol);
    if (market === undefined)
      findings.note(['participants', 'markets', at], {
        expected: `one of ${known.map((one) => one.symbol).join(', ')}`,
      });
    return market === undefined ? [] : market.signingMarketId;
  });
  const { indexStepPpm, jumpProbability, jumpPpm, takersPerSecond, makers } = given;
  return {
    followsIndex: true,
    markets: chosen,
    index: { ...presets.index, ...defined({ stepPpm: indexStepPpm, jumpProbability, jumpPpm }) },
    noise: { ...presets.noise, ...defined({ perSecond: takersPerSecond }) },
    makers: presets.makers.slice(0, makers ?? presets.makers.length),
  };
}

/** An instant as Unix ms. */
export function startOf(findings: Findings, text: string): number | undefined {
  const atMs = parseInstantMs(text);
  if (atMs !== undefined && atMs >= 0) return atMs;
  findings.note(['start'], { expected: 'an instant like 2026-01-05T00:00:00Z' });
  return undefined;
}
