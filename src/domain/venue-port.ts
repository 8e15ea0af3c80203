/**
 * @module
 * The upper seam: approved commands in, facts out. `execution` implements it with lanes and signed requests,
 * `venue/local` with a fill model; a strategy cannot see which.
 */
import type { Approved } from './approval.ts';
import type { RoutedCommand, SafetyCommand, TradingCommand } from './command.ts';
import type { LaneId } from './ids.ts';

/** Carries commands to a venue; the outcome of them comes back as facts through the sink it was built with. */
export interface VenuePort {
  /** True while the lane can take a command at once; a busy lane says so with `LaneReady` when it is free. */
  isReady(lane: LaneId): boolean;
  /** A command is about to be checked, and perhaps to be submitted: what is slow to begin may begin. */
  expect?(): void;
  /** Sends an approved command. @throws AssertionError when the lane is not ready. */
  submit(routed: Approved<RoutedCommand<TradingCommand>>): void;
  /** Sends what takes risk away, through the safety lane, ahead of everything that waits. */
  submitSafety(command: SafetyCommand): void;
}
