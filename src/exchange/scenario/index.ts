/** @module Scenarios as YAML. */

export { loadScenario, parseScenario } from './read.ts';
export { checkScenario, runScenario, type ScenarioListener, scenarioSettings } from './run-scenario.ts';
export type { Scenario, ScenarioAccount, ScenarioEvent } from './scenario.ts';
