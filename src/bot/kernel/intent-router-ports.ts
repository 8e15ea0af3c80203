/** @module What the router of a run works with. */
import type { UnixMs } from '../../core/index.ts';
import type { AccountState, MarketState, VenuePort } from '../../domain/index.ts';
import type { RiskGate, RiskView } from '../risk/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { Canceler } from './canceler.ts';
import type { DecisionTap } from './decisions.ts';
import type { DenialBox } from './denial-queue.ts';
import type { IntentIds } from './intent-ids.ts';
import type { QuoteDiffer } from './ports.ts';

/** See the module. */
export interface RouterPorts {
  readonly account: AccountState;
  readonly markets: MarketState;
  readonly risk: RiskGate;
  readonly venue: VenuePort;
  readonly differ: QuoteDiffer;
  readonly recorder: Recorder;
  readonly canceler: Canceler;
  readonly denials: DenialBox;
  readonly tap: DecisionTap | undefined;
  /** Counts every intent. */
  readonly collector: { intent(): void } | undefined;
  now(): UnixMs;
  /** What risk sees now. */
  view(): RiskView;
  readonly intentIds: IntentIds;
  /** Asks for a turn after `delayMs`, to send what the write budget holds back. */
  wake(delayMs: number): void;
}
