/**
 * @module
 * The public surface of the package `ballast`: what programs that embed it need. Strategies import `ballast/strategy`,
 * tests and tools that want the exchange alone `ballast/simulator`.
 */
export { isProven, type RunReport, runInProcess } from './app/index.ts';
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
export { Exchange, type ExchangeServer, startServer } from './simulator/index.ts';
export { defineStrategy, order, param, type StrategyDefinition } from './strategy/index.ts';
