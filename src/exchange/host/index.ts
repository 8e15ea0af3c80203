/** @module An exchange as its own process, and the parent's side of it. */
export { startExchangeChild } from './exchange-child.ts';
export {
  type HostedExchange,
  hostExchange,
  type ServedExchange,
  type ServedExchangeOptions,
  serveExchange,
} from './exchange-host.ts';
