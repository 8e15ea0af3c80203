/** @module The actions by which people and scenarios steer an exchange. */

export type { ControlAction } from './control-action.ts';
export { ControlApi, type ControlApiParts } from './control-api.ts';
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
export { runControlAction } from './run-action.ts';
export { allControlActions, CONTROL_ACTION_GROUPS, controlActionOf } from './table.ts';
