/** @module The interface of the exchange: authentication, reads, writes, channels, faults of requests. */
export { HandedBounds } from './issued-bounds.ts';
export { type NumberForm, numberForm } from './json/number-form.ts';
export {
  type ExchangeAnswer,
  type ExchangeReply,
  type ExchangeRequest,
  LOST,
  type Refusal,
  refuse,
  toAnswer,
} from './rest/answer.ts';
export { Authenticator } from './rest/auth.ts';
export { Patience } from './rest/patience.ts';
export { RateBudget } from './rest/rate-budget.ts';
export type { HistoryGap } from './rest/read.ts';
export { type FaultRule, type RequestFault, RequestFaults } from './rest/request-faults.ts';
export { Router } from './rest/router.ts';
export { Writes } from './rest/writes.ts';
export { FrontDoor } from './shown-state.ts';
export type { FrameSink } from './stream/connection.ts';
export { Publisher } from './stream/publisher.ts';
