/**
 * @module
 * What the router of a run works with: the state, the checks, the way out, and who listens.
 */
import type { UnixMs } from '../../core/index.ts';
import type { AccountState, MarketState, StrategyId, VenuePort } from '../../domain/index.ts';
import type { RiskGate, RiskView } from '../risk/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import type { DecisionTap } from './decisions.ts';
import type { DenialQueue } from './denial-queue.ts';
import type { IntentIds } from './intent-ids.ts';
import type { QuoteReconciler, RunObserver } from './ports.ts';
import type { StrategyHost } from './strategy-host.ts';

/** What the router of a run works with. */
export interface RouterPorts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly risk: RiskGate;
  readonly venue: VenuePort;
  readonly reconcileQuotes: QuoteReconciler;
  readonly recorder: Recorder;
  readonly canceler: Canceler;
  readonly denials: DenialQueue;
  /** All strategies of the run. */
  readonly hosts: ReadonlyMap<StrategyId, StrategyHost>;
  /** Receives every decision; `undefined`: none listens. */
  readonly tap: DecisionTap | undefined;
  /** Counts every intent. */
  readonly collector: Pick<RunObserver, 'intent'> | undefined;
  /** The local time, Unix ms. */
  now(): UnixMs;
  /** Time that never runs backwards, ms. */
  monotonicMs(): number;
  /** What risk sees now. */
  view(): RiskView;
  readonly intentIds: IntentIds;
  /** Asks for a turn after `delayMs`, to send what the write budget holds back. */
  wake(delayMs: number): void;
}
