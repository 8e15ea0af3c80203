/** @module YAML: the only module that imports the package `yaml`, and where in a text a value or a key is. */
export {
  describeFinding,
  describeFindings,
  type Finding,
  parseYaml,
  readYaml,
  replacedYaml,
  valueAt,
  type YamlPath,
  type YamlText,
} from './yaml-text.ts';
