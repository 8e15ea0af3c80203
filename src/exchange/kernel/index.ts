/** @module The exchange as one object: books, interface and flow on one clock. */

export { type ClockMode, ControlledClock } from './controlled-clock.ts';
export { Exchange, type ExchangeParts, type StreamHandle, type StreamSession } from './exchange.ts';
export type { ExchangeSettingsState } from './exchange-settings-state.ts';
export type { RecordedStep } from './recording.ts';
