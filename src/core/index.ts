/** @module The base of every module, with no domain word in it. */
// Types of the package name those of Node: here they are found whatever the "types" of a user's tsconfig.json.
/// <reference types="node" preserve="true" />

export { added } from './added.ts';
export { absent, assert, assertNever, must } from './assert.ts';
export { ByteRing, byteRingMemory } from './byte-ring.ts';
export { type Clock, repeatedly, SystemClock, type Timer, VirtualClock } from './clock.ts';
export {
  type ActionMethods,
  type ActionOn,
  actionMethods,
  actionRefused,
  actionsOn,
  invalidField,
  runAction,
} from './control-action.ts';
export { csvText, textOfCsv } from './csv-text.ts';
export {
  Decimal,
  formatScaled,
  formatShort,
  isDecimalText,
  parseScaled,
  parseScaledNumber,
} from './decimal.ts';
export { DURATION_MAX, DURATION_TEXT, parseDurationMs } from './duration.ts';
export {
  AssertionError,
  BotError,
  ConfigError,
  type Effect,
  GatewayError,
  isOfSystem,
  messageOf,
  ProtocolError,
  ReadFault,
  shown,
  stackOf,
  TransportError,
  whyNotLoaded,
  withDetails,
} from './errors.ts';
export { FewMap } from './few-map.ts';
export { closed, eachOf, FieldError, fieldOf, objectOf, optionalOf, within } from './fields.ts';
export { makeFolder, PRIVATE_FOLDER } from './folder.ts';
export { deepFrozen, frozenCopy } from './frozen.ts';
export { sha256 } from './hash.ts';
export { fromHex, type Hex, isHex, toHex } from './hex.ts';
export { INSTALLATION, OWN_CODE, ownModule } from './installation.ts';
export { parseInstantMs, parseInstantUs } from './instant.ts';
export { describeJson, formatJson, isRecord, parseJson } from './json.ts';
export {
  ADDRESS,
  ANY_TEXT,
  DECIMAL_TEXT,
  durationFrom,
  FLAG,
  FLAG_LIKE,
  FRACTION,
  ID,
  INTEGER,
  integerFrom,
  type JsonObject,
  type Kind,
  LIST,
  lineOf,
  listOf,
  NATURAL,
  numberFrom,
  OBJECT,
  oneOf,
  TEXT,
  TEXT_MAP,
  UNSIGNED_DECIMAL,
} from './kinds.ts';
export { labeledText, wrapLines } from './labeled-text.ts';
export {
  BlockFault,
  type BlocksEnd,
  findLineBlock,
  type LineBlock,
  packLines,
  type ReadBytes,
  readLineBlocks,
} from './line-blocks.ts';
export {
  type Audit,
  type AuditEvent,
  type Fields,
  type Log,
  type Metrics,
  observedLog,
  silentAudit,
  silentLog,
  silentMeter,
} from './log.ts';
export { isFull, LossyOutput, standardError, unwaiting } from './lossy-output.ts';
export { METRICS, type Metric, type MetricOf } from './metrics.ts';
export { whyUnreadable } from './missing-file.ts';
export { nearestName } from './nearest.ts';
export { NumberText } from './number-text.ts';
export { NO_CODE, NumberedTexts } from './numbered-texts.ts';
export {
  optional,
  type Parameter,
  type Parameters,
  preset,
  readParameters,
  required,
  type ValuesOf,
} from './parameters.ts';
export { printable, printableLine } from './printable.ts';
export { ceilDivide, floorDivide, product } from './product.ts';
export { BoundedQueue } from './queue.ts';
export { freshSeed, type Random, secureBytes, seededRandom } from './random.ts';
export { openToAppend, readRegularBytes, readRegularFile } from './regular-file.ts';
export { bytesOf, readSealedLines, type SealedEnd, Sealer, sealedLinesAt } from './sealed-lines.ts';
export { looksLikeKey, maskKeys, secrets } from './secrets.ts';
export { type TurnSettings, turnOf } from './turned-file.ts';
export { type Brand, isoOfUs, type UnixMs, unixMs } from './unit.ts';
export { untilDeadline } from './until-deadline.ts';
export { VERSION } from './version.ts';
export { largerOf, minus, plus, shareDown, shareUp, times, type Whole, whole } from './whole.ts';
