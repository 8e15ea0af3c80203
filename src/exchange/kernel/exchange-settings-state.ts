/**
 * @module Settings in force at an exchange that no log entry holds: lags, gaps, budgets, reported domain and clock,
 * quirks that were changed. A snapshot takes it along. Not here: faults that wait for requests, and what is left of
 * budgets.
 */
import type { GatewayIdentity, HistoryGap, WeightLimit } from '../api/index.ts';
import type { ExchangeDomain, QuirkId, QuirkSwitches, Quirks, Sequencer } from '../state/index.ts';

/** What holds. */
export interface ExchangeSettingsState {
  /** Seq ranges missing from histories. */
  readonly gaps: readonly HistoryGap[];
  readonly replicas: readonly { readonly lagMs: number; readonly seq: number }[];
  readonly replicaShare: number;
  /** Time until an entry is durable, ms. */
  readonly durabilityLagMs: number;
  /** Last durable seq. */
  readonly durableSeq: number;
  /** Request weight per peer address and minute. */
  readonly ipQuota: number;
  /** Request weight per wallet and minute. */
  readonly accountQuota: number;
  /** EIP-712 signing domain. */
  readonly domain: ExchangeDomain;
  /** Offset of the reported clock, ms. */
  readonly skewMs: number;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: Quirks;
}

/** Where it is held. */
export interface SettingsStateParts {
  /** The log of the exchange and its state. */
  readonly sequencer: Sequencer;
  /** Reported domain and clock. */
  readonly identity: GatewayIdentity;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
  /** Request weight budget by peer address. */
  readonly ipWeightLimit: WeightLimit;
  /** Request weight budget by wallet. */
  readonly accountWeightLimit: WeightLimit;
  /** Current seq ranges missing from histories. */
  readonly gaps: () => readonly HistoryGap[];
}

/** What holds now. */
export function readSettingsState(parts: SettingsStateParts): ExchangeSettingsState {
  const { sequencer, identity, quirks, ipWeightLimit, accountWeightLimit, gaps } = parts;
  return {
    gaps: gaps(),
    replicas: sequencer.replicas(),
    replicaShare: sequencer.replicaShare,
    durabilityLagMs: sequencer.durabilityLagMs,
    durableSeq: sequencer.durableSeq(),
    ipQuota: ipWeightLimit.quota,
    accountQuota: accountWeightLimit.quota,
    domain: identity.domain,
    skewMs: identity.skewMs(),
    quirks: quirks.values,
  };
}

/** Lets it hold again, after the log was replayed. Gaps and domain are the caller's. */
export function applySettingsState(
  parts: Omit<SettingsStateParts, 'gaps'>,
  state: ExchangeSettingsState,
): void {
  const { sequencer, identity, quirks, ipWeightLimit, accountWeightLimit } = parts;
  sequencer.settle(state);
  sequencer.setReplicaShare(state.replicaShare);
  sequencer.setDurabilityLag(state.durabilityLagMs);
  ipWeightLimit.setQuota(state.ipQuota);
  accountWeightLimit.setQuota(state.accountQuota);
  const { skewMs } = state;
  identity.skewMs = () => skewMs;
  for (const [id, value] of Object.entries(state.quirks)) quirks.answer(id as QuirkId, value);
}
