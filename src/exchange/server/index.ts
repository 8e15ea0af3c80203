/** @module An exchange over HTTP and WebSocket, or in process. */
export {
  type CarriedReply,
  type CarriedRequest,
  type CarriedStream,
  type CarriedStreamEvents,
  type InProcessOptions,
  type InProcessTransport,
  inProcessTransport,
} from './in-process.ts';
export { type ExchangeServer, type ServerOptions, startServer } from './start-server.ts';
