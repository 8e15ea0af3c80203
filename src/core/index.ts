/** @module The base of every room, with no domain word in it. */
export { added } from './added.ts';
export { absent, assert, assertNever, must } from './assert.ts';
export { type Clock, SystemClock, type Timer, VirtualClock } from './clock.ts';
export {
  type ActionMethods,
  actionMethods,
  actionRefused,
  actionsOn,
  type ControlAction,
  invalidField,
  runAction,
} from './control-action.ts';
export { Decimal, formatScaled, isDecimalText, parseScaled, parseScaledNumber } from './decimal.ts';
export { parseDurationMs } from './duration.ts';
export {
  AssertionError,
  BotError,
  ConfigError,
  type Effect,
  GatewayError,
  messageOf,
  ProtocolError,
  ReadFault,
  shown,
  TransportError,
} from './errors.ts';
export { FewMap } from './few-map.ts';
export {
  ADDRESS,
  ANY_TEXT,
  closed,
  DECIMAL_TEXT,
  eachOf,
  FieldError,
  FLAG,
  FLAG_LIKE,
  fieldOf,
  ID,
  INTEGER,
  integerFrom,
  type JsonObject,
  type Kind,
  LIST,
  NATURAL,
  numberFrom,
  OBJECT,
  objectOf,
  oneOf,
  optionalOf,
  TEXT,
  within,
} from './fields.ts';
export { makeFolder, PRIVATE_FOLDER } from './folder.ts';
export { sha256 } from './hash.ts';
export { fromHex, type Hex, isHex, toHex } from './hex.ts';
export { formatJson, isRecord, parseJson } from './json.ts';
export {
  type Audit,
  type AuditEvent,
  type Fields,
  type Log,
  type Metrics,
  silentAudit,
  silentLog,
  silentMeter,
} from './log.ts';
export { METRICS, type MetricOf } from './metrics.ts';
export { NumberText } from './number-text.ts';
export { NO_CODE, NumberedTexts } from './numbered-texts.ts';
export {
  choice,
  decimal,
  describeValue,
  duration,
  flag,
  integer,
  listOf,
  longText,
  optional,
  type Parameter,
  type ParameterProblem,
  type Parameters,
  preset,
  readParameters,
  required,
  share,
  text,
  textMap,
  type ValuesOf,
} from './parameters.ts';
export { product } from './product.ts';
export { BoundedQueue } from './queue.ts';
export { freshSeed, type Random, secureBytes, seededRandom } from './random.ts';
export { type Brand, type UnixMs, unixMs } from './unit.ts';
export { untilDeadline } from './until-deadline.ts';
export { VERSION } from './version.ts';
export { largerOf, minus, plus, shareDown, shareUp, times, type Whole, whole } from './whole.ts';
