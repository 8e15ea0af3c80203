/** @module The verbs by which people and scenarios steer an exchange. */
export { ControlDesk, type DeskParts } from './control-target.ts';
export { invalidField } from './errors.ts';
export {
  address,
  choice,
  decimal,
  describeValue,
  duration,
  integer,
  listOf,
  longText,
  optional,
  type Parameter,
  type ParameterProblem,
  type Parameters,
  type ParameterType,
  preset,
  readParameters,
  required,
  share,
  text,
  type ValuesOf,
} from './parameters.ts';
export { runVerb } from './run-verb.ts';
export { allVerbs, VERB_GROUPS, verbOf } from './table.ts';
export type { Verb } from './verb.ts';
