/**
 * @module
 * What must outlive a restart before anything trades: what a person has set, what a control has halted until a person resumes
 * it, and what was lost (`kept-losses.ts`), in the store of what strategies save.
 */
import { formatJson, isRecord, parseJson, type UnixMs } from '../../core/index.ts';
import type { MarketSymbol, StrategyId } from '../../domain/index.ts';
import {
  type FilledGround,
  HELD_UNTIL_RESUMED,
  type HeldScope,
  isTradingState,
  type LossMonitor,
  OPERATOR_HOLDER,
  type TradingScope,
  type TradingStates,
  type Verdict,
} from '../risk/index.ts';
import { KeptLosses } from './kept-losses.ts';
import { type StrategyStore, UNREADABLE } from './ports.ts';

/** Its place in the store: no strategy can have this name. */
const KEY = '_halts' as StrategyId;

/** What a run can hold: another scope than these is of another configuration. */
export interface RunScopes {
  readonly strategies: ReadonlyMap<StrategyId, unknown>;
  readonly symbols: ReadonlySet<MarketSymbol>;
}

/** What is kept. */
export interface KeptHaltsParts {
  readonly trading: TradingStates;
  /** The losses of the run; `undefined`: it has no controls. */
  readonly losses: LossMonitor | undefined;
  readonly store: StrategyStore;
}

/** Keeps who holds what until a person resumes it, and what was lost. */
export class KeptHalts {
  readonly #trading: TradingStates;
  readonly #store: StrategyStore;
  readonly #losses: KeptLosses | undefined;
  /** Of strategies and markets that this run does not have: kept until a run has them again. */
  #ofOthers: readonly HeldScope[] = [];
  #stored = '[]';
  /** Of the states, when they were stored. */
  #version = 0;

  constructor({ trading, losses, store }: KeptHaltsParts) {
    this.#trading = trading;
    this.#store = store;
    this.#losses = losses && new KeptLosses(losses, store);
  }

  /** What the last run left: it is to be applied before anything trades. */
  load(scopes: RunScopes, nowMs: UnixMs): readonly Verdict[] {
    const halts = this.#loadHalts(scopes);
    const losses = this.#losses === undefined ? [] : this.#losses.load(scopes.symbols, nowMs);
    return halts === undefined || losses === undefined ? [UNKNOWN] : [...halts, ...losses];
  }

  /** Stores what is held, where that has changed: a death must not forget it. */
  keep(nowMs: UnixMs): void {
    this.#losses?.saveHeld(nowMs);
    if (this.#trading.version === this.#version) return;
    const held = this.#trading.held().filter(({ holder }) => isKept(holder));
    const json = formatJson([...held, ...this.#ofOthers]);
    if (json !== this.#stored && !this.#store.save(KEY, json)) return;
    this.#stored = json;
    this.#version = this.#trading.version;
  }

  /** Stores all, where it has changed. */
  save(nowMs: UnixMs): void {
    this.keep(nowMs);
    this.#losses?.save();
  }

  /** `undefined`: they cannot be read. */
  #loadHalts(scopes: RunScopes): readonly Verdict[] | undefined {
    const json = this.#store.load(KEY);
    if (json === undefined) return [];
    if (json === UNREADABLE) return undefined;
    this.#stored = json;
    const held: unknown = parseJson(json);
    if (!Array.isArray(held) || !held.every(isHeld)) return undefined;
    this.#ofOthers = held.filter(({ scope }) => !isOf(scope, scopes));
    return held
      .filter(({ scope }) => isOf(scope, scopes))
      .map(({ scope, holder, state, reason, grounds }) => ({
        control: holder,
        scope,
        trading: { state, reason, grounds },
        isCanceling: state === 'halted',
      }));
  }
}

/**
 * A store that keeps no halt whose grounds are gone: of fills that the exchange's history does not have. `isGone` is asked for
 * each ground with each halt that is stored.
 */
export function withoutGoneHalts(
  store: StrategyStore,
  isGone: (ground: FilledGround) => boolean,
): StrategyStore & { review(): void } {
  const stands = ({ grounds = [] }: HeldScope): boolean => grounds.length === 0 || !grounds.every(isGone);
  const save = (key: StrategyId, json: string): boolean => {
    if (key !== KEY) return store.save(key, json);
    return store.save(key, formatJson((parseJson(json) as readonly HeldScope[]).filter(stands)));
  };
  return {
    load: (key) => store.load(key),
    save,
    /** Stores what is stored once more: a ground is gone. */
    review() {
      const json = store.load(KEY);
      if (json !== undefined && json !== UNREADABLE) save(KEY, json);
    },
  };
}

/** What was halted cannot be told: nothing trades until a person has looked. */
const UNKNOWN: Verdict = {
  control: OPERATOR_HOLDER,
  scope: { kind: 'account' },
  trading: {
    state: 'halted',
    reason: 'what was lost and halted before the restart cannot be read: look why, then resume with a reason',
  },
  isCanceling: true,
};

function isKept(holder: unknown): holder is Verdict['control'] {
  return HELD_UNTIL_RESUMED.some((control) => control === holder);
}

function isHeld(value: unknown): value is HeldScope & { readonly holder: Verdict['control'] } {
  if (!isRecord(value) || !isRecord(value['scope'])) return false;
  const { kind, symbol, strategyId } = value['scope'];
  const isScope =
    kind === 'account' ||
    (kind === 'market' && typeof symbol === 'string') ||
    (kind === 'strategy' && typeof strategyId === 'string');
  return (
    isScope &&
    isKept(value['holder']) &&
    isTradingState(value['state']) &&
    typeof value['reason'] === 'string' &&
    (value['grounds'] === undefined || (Array.isArray(value['grounds']) && value['grounds'].every(isGround)))
  );
}

function isGround(value: unknown): value is FilledGround {
  if (!isRecord(value)) return false;
  return (
    ['overfill', 'fillWithoutOrder'].some((kind) => value['kind'] === kind) &&
    typeof value['orderId'] === 'string'
  );
}

function isOf(scope: TradingScope, { strategies, symbols }: RunScopes): boolean {
  if (scope.kind === 'market') return symbols.has(scope.symbol);
  return scope.kind === 'account' || strategies.has(scope.strategyId);
}
