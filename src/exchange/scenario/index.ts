/** @module Scenarios as YAML. */
export { checkScenario, playScenario, type ScenarioListener, scenarioSettings } from './play.ts';
export { loadScenario, parseScenario } from './read.ts';
export type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario.ts';
