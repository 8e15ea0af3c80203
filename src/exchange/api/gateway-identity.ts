/**
 * @module
 * What the gateway shows of itself and operators change while it runs: its signing domain, the clock it tells, and
 * whether anybody is at home.
 */
import type { Clock } from '../../core/index.ts';
import type { ExchangeDomain } from '../state/index.ts';

/** The gateway's face. */
export class GatewayIdentity {
  /** As `/v1/exchange` tells it. */
  domain: ExchangeDomain;
  /** While true connections are cut and nothing is answered. */
  isDown = false;
  /** How far the clock it tells is from the one that blocks go by, in ms; asked each time. */
  skewMs: () => number = () => 0;

  constructor(domain: ExchangeDomain) {
    this.domain = domain;
  }

  /** Server time as it is told. */
  nowMs(clock: Clock): number {
    return Math.round(clock.nowMs() + this.skewMs());
  }
}
