/** @module Reads YAML and environment into validated, frozen settings with line-numbered errors. */

export type { Finding } from '../core/yaml/index.ts';
export { loadImportMapping } from './import-mapping.ts';
export { configJsonSchema, configJsonSchemaWith } from './json-schema.ts';
export { readKeyFile } from './key-file.ts';
export { liveNeeds, requireLive } from './live-needs.ts';
export { type Config, type ConfigSource, invalid, loadConfig, parseConfig, tapeOf } from './load.ts';
export {
  invalidDocument,
  loadOperatorDocument,
  type OperatorCode,
  type OperatorDocument,
  type OperatorStruct,
} from './operator-document.ts';
export { amountOf, type CapitalLimit, type LatencyText } from './scalars.ts';
export { withFrozenViews, withParameters, yamlWith } from './set-parameters.ts';
export type { SweepStatistic } from './sweep-section.ts';
