/** @module The path of a bot to its venue, which ends when the market has ended. */
import type {
  Approved,
  LaneId,
  RoutedCommand,
  SafetyCommand,
  TradingCommand,
  VenuePort,
} from '../../domain/index.ts';

/** See the module. */
export class ClosableVenue implements VenuePort {
  /** Once closed, every lane is busy for good. */
  isClosed = false;
  /** Once ended, nothing reaches it any more. */
  isEnded = false;
  readonly #venue: VenuePort;

  constructor(venue: VenuePort) {
    this.#venue = venue;
  }

  isReady(lane: LaneId): boolean {
    return !this.isClosed && this.#venue.isReady(lane);
  }

  submit(routed: Approved<RoutedCommand<TradingCommand>>): void {
    this.#venue.submit(routed);
  }

  submitSafety(command: SafetyCommand): void {
    if (!this.isEnded) this.#venue.submitSafety(command);
  }
}
