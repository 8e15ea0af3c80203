/**
 * @module
 * The public surface of the package `ballast`: what programs that embed it need. Strategies import `ballast/strategy`,
 * tests and tools that want the exchange alone `ballast/simulator`.
 */
export { isProven, type RunReport } from './bot/live/index.ts';
export { defineStrategy, order, param, type StrategyDefinition } from './bot/strategy/index.ts';
export { runInProcess } from './cli/compose/index.ts';
export { type Config, type ConfigSource, loadConfig, parseConfig } from './config/index.ts';
export {
  AssertionError,
  BotError,
  ConfigError,
  type Effect,
  GatewayError,
  ProtocolError,
  TransportError,
} from './core/index.ts';
export { Exchange } from './exchange/kernel/index.ts';
export { type ExchangeServer, startServer } from './exchange/server/index.ts';
