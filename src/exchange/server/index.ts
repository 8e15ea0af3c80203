/** @module An exchange over HTTP and WebSocket, or in process. */

export { ControlApi, type ControlApiParts } from './control-api.ts';
export {
  type InProcessOptions,
  type InProcessReply,
  type InProcessRequest,
  type InProcessStream,
  type InProcessStreamEvents,
  type InProcessTransport,
  inProcessTransport,
} from './in-process.ts';
export { type ExchangeServer, type ServerOptions, startServer } from './start-server.ts';
