/**
 * @module What the gateway shows of itself and operators change while it runs: its signing domain, the clock that it
 * reports, and whether it answers.
 */
import type { Clock } from '../../core/index.ts';
import type { ExchangeDomain } from '../state/index.ts';

/** The gateway's face. */
export class GatewayIdentity {
  /** As `/v1/exchange` reports it. */
  domain: ExchangeDomain;
  /** While true connections are cut and nothing is answered. */
  isDown = false;
  /** How far the reported clock is from the one that blocks go by, in ms; asked each time. */
  skewMs: () => number = () => 0;

  constructor(domain: ExchangeDomain) {
    this.domain = domain;
  }

  /** Server time as it is reported. */
  nowMs(clock: Clock): number {
    return Math.round(clock.nowMs() + this.skewMs());
  }
}
