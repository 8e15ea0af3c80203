/**
 * @module Settings in force at an exchange that no log entry holds: lags, gaps, budgets, reported domain and clock,
 * quirks that were changed. A snapshot takes it along. Not here: faults that wait for requests, and what is left of
 * budgets.
 */
import type { GatewayIdentity, HistoryGap, WeightLimit } from '../api/index.ts';
import type { ExchangeDomain, QuirkId, QuirkSwitches, Quirks, Sequencer } from '../state/index.ts';

/** What holds. */
export interface ExchangeSettingsState {
  readonly gaps: readonly HistoryGap[];
  readonly replicas: readonly { readonly lagMs: number; readonly seq: number }[];
  readonly replicaShare: number;
  readonly durabilityLagMs: number;
  readonly durableSeq: number;
  readonly ipQuota: number;
  readonly accountQuota: number;
  readonly domain: ExchangeDomain;
  readonly skewMs: number;
  readonly quirks: Quirks;
}

/** Where it is held. */
export interface SettingsStateParts {
  readonly sequencer: Sequencer;
  readonly identity: GatewayIdentity;
  readonly quirks: QuirkSwitches;
  readonly ipWeightLimit: WeightLimit;
  readonly accountWeightLimit: WeightLimit;
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
