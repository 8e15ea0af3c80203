/**
 * @module
 * What holds at an exchange and stands in no log: lags, gaps, budgets, what is told of domain and clock, quirks that were
 * changed. A snapshot takes it along. Not here: faults that wait for requests, and what is left of budgets.
 */
import type { FrontDoor, HistoryGap, RateBudget } from '../api/index.ts';
import type { ExchangeDomain, QuirkId, QuirkSwitches, Quirks, Sequencer } from '../state/index.ts';

/** What holds. */
export interface Standing {
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
export interface StandingParts {
  readonly sequencer: Sequencer;
  readonly frontDoor: FrontDoor;
  readonly quirks: QuirkSwitches;
  readonly ipBudget: RateBudget;
  readonly walletBudget: RateBudget;
  readonly gaps: () => readonly HistoryGap[];
}

/** What holds now. */
export function readStanding(parts: StandingParts): Standing {
  const { sequencer, frontDoor, quirks, ipBudget, walletBudget, gaps } = parts;
  return {
    gaps: gaps(),
    replicas: sequencer.replicas(),
    replicaShare: sequencer.replicaShare,
    durabilityLagMs: sequencer.durabilityLagMs,
    durableSeq: sequencer.durableSeq(),
    ipQuota: ipBudget.quota,
    accountQuota: walletBudget.quota,
    domain: frontDoor.domain,
    skewMs: frontDoor.skewMs(),
    quirks: quirks.values,
  };
}

/** Lets it hold again, after the log was replayed. Gaps and domain are the caller's. */
export function applyStanding(parts: Omit<StandingParts, 'gaps'>, standing: Standing): void {
  const { sequencer, frontDoor, quirks, ipBudget, walletBudget } = parts;
  sequencer.settle(standing);
  sequencer.setReplicaShare(standing.replicaShare);
  sequencer.setDurabilityLag(standing.durabilityLagMs);
  ipBudget.setQuota(standing.ipQuota);
  walletBudget.setQuota(standing.accountQuota);
  const { skewMs } = standing;
  frontDoor.skewMs = () => skewMs;
  for (const [id, value] of Object.entries(standing.quirks)) quirks.answer(id as QuirkId, value);
}
