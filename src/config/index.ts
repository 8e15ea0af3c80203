/** @module Reads YAML and environment into validated, frozen settings with line-numbered errors. */
export { type Environment, readEnvironment } from './env.ts';
export { type ImportMapping, loadImportMapping, parseImportMapping } from './import-mapping.ts';
export { keyFileProblem, readKeyFile } from './key-file.ts';
export { type Config, type ConfigSource, invalid, loadConfig, parseConfig } from './load.ts';
export { describeFinding, type Finding, formatPath } from './position.ts';
export type { LatencyText } from './scalars.ts';
export { SWEEP_FIGURES, type SweepFigure } from './sweep-section.ts';
