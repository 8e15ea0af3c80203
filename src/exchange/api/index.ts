/** @module The interface of the exchange: authentication, reads, writes, channels, faults of requests. */

export { GatewayIdentity } from './gateway-identity.ts';
export { IssuedBounds } from './issued-bounds.ts';
export { jsonEdit } from './json/json-edit.ts';
export { type NameForm, nameForm } from './json/name-form.ts';
export { type NumberForm, numberForm } from './json/number-form.ts';
export {
  type ExchangeAnswer,
  type ExchangeReply,
  type ExchangeRequest,
  NO_RESPONSE,
  type Refusal,
  refuse,
  toAnswer,
} from './rest/answer.ts';
export { Authenticator } from './rest/auth.ts';
export { BoundedWait } from './rest/bounded-wait.ts';
export type { HistoryGap } from './rest/read.ts';
export { type FaultRule, type RequestFault, RequestFaults } from './rest/request-faults.ts';
export { RequestRouter } from './rest/request-router.ts';
export { WeightLimit } from './rest/weight-limit.ts';
export { Writes } from './rest/writes.ts';
export { channelOf, type FrameFault } from './stream/frame-faults.ts';
export { Publisher } from './stream/publisher.ts';
export type { FrameSink } from './stream/subscriber-connection.ts';
