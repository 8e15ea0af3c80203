/**
 * @module
 * The table of signed structs: one EIP-712 type string per operation, replaceable at run time. Known are ApproveAgent,
 * RevokeAgent and AgentExec (exchange.md#signing); the others are own choices after exchange.md#assumptions: `address
 * owner`, `uint32 account`, the command's fields in codec order, `uint64 nonce` last; lists as keccak256 of their
 * canonical bytes.
 */
import { ConfigError } from '../../core/index.ts';
import type { CanonicalCommand, MainWalletOperation } from '../../domain/index.ts';
import { AGENT_EXEC_TYPE, parseTypeString, type TypedField } from '../crypto/index.ts';

/** Everything that can be signed. */
export type StructName = CanonicalCommand['kind'] | MainWalletOperation['kind'] | 'AgentExec';

/** Type string by operation. */
export type StructTable = Readonly<Record<StructName, string>>;

/** The structs of the embedded exchange and of the interface as known; all but the first three are x-assumed. */
export const STRUCTS: StructTable = {
  AgentExec: AGENT_EXEC_TYPE,
  ApproveAgent: 'ApproveAgent(address owner,uint32 master,address agent,uint64 validUntilMs,uint64 nonce)',
  RevokeAgent: 'RevokeAgent(address owner,uint32 master,address agent,uint64 nonce)',
  CreateSubaccount: 'CreateSubaccount(address owner,uint32 account,uint64 nonce)',
  PlaceOrder:
    'PlaceOrder(address owner,uint32 account,uint16 market,uint8 side,uint32 price,uint64 lots,uint8 tif,bool reduceOnly,uint64 expiry,uint64 nowMs,uint32 router,uint32 routerFeePpm,uint64 nonce)',
  CancelOrder: 'CancelOrder(address owner,uint32 account,uint64 orderId,uint64 nonce)',
  SetLeverage: 'SetLeverage(address owner,uint32 account,uint16 market,uint32 customImfPpm,uint64 nonce)',
  BatchCancel: 'BatchCancel(address owner,uint32 account,bytes32 orderIds,uint64 nonce)',
  PlaceConditional:
    'PlaceConditional(address owner,uint32 account,uint16 market,uint8 side,uint32 price,uint64 lots,uint8 tif,bool reduceOnly,uint64 expiry,uint32 triggerPrice,bool triggerAbove,uint64 nowMs,uint64 nonce)',
  CancelConditional: 'CancelConditional(address owner,uint32 account,uint64 orderId,uint64 nonce)',
  PlaceTwap:
    'PlaceTwap(address owner,uint32 account,uint16 market,uint8 side,uint64 totalLots,uint32 slices,uint64 intervalMs,uint32 priceTolerancePpm,bool reduceOnly,uint64 nowMs,uint64 nonce)',
  CancelTwap: 'CancelTwap(address owner,uint32 account,uint64 orderId,uint64 nonce)',
  ModifyOrder:
    'ModifyOrder(address owner,uint32 account,uint64 orderId,uint32 price,uint64 lots,uint8 tif,bool reduceOnly,uint64 expiry,uint64 nowMs,uint64 nonce)',
  ScheduleCancel: 'ScheduleCancel(address owner,uint32 account,uint64 triggerMs,uint64 nowMs,uint64 nonce)',
  PlaceTpslPair:
    'PlaceTpslPair(address owner,uint32 account,uint16 market,uint8 closeSide,uint64 lots,uint32 tpTrigger,uint32 tpPrice,uint32 slTrigger,uint32 slPrice,bool positionTpsl,uint64 parentOrderId,uint64 nowMs,uint64 nonce)',
  BatchPlace: 'BatchPlace(address owner,uint32 account,uint64 nowMs,bytes32 orders,uint64 nonce)',
  BatchReplace:
    'BatchReplace(address owner,uint32 account,uint64 nowMs,bytes32 cancels,bytes32 orders,uint64 nonce)',
  CancelAll: 'CancelAll(address owner,uint32 account,uint64 nonce)',
  CreateVault: 'CreateVault(address owner,uint32 account,string name,uint64 nonce)',
  DepositVault: 'DepositVault(address owner,uint32 account,uint32 vault,uint64 amount,uint64 nonce)',
  RedeemVault: 'RedeemVault(address owner,uint32 account,uint32 vault,uint64 shares,uint64 nonce)',
  ClaimVault: 'ClaimVault(address owner,uint32 account,uint32 vault,uint64 nonce)',
  ConfigureVault:
    'ConfigureVault(address owner,uint32 account,uint32 vault,uint64 depositCap,uint32 leverageMax,uint64 nonce)',
};

/**
 * The table with some type strings replaced, as an operator's document names them.
 * @throws ConfigError when a name is unknown, a type string is not canonical, or it cannot be filled.
 */
export function replaceStructs(
  replacements: Readonly<Record<string, string>>,
  table: StructTable = STRUCTS,
): StructTable {
  const replaced: Record<StructName, string> = { ...table };
  for (const [name, typeString] of Object.entries(replacements)) {
    if (!isStructName(name)) {
      throw refusedStruct(`the name of a signed operation, got ${JSON.stringify(name)}`);
    }
    const defect = structDefect(name, typeString, table);
    if (defect !== undefined)
      throw refusedStruct(`${defect.expected}, got ${JSON.stringify(defect.found.slice(0, 120))}`);
    replaced[name] = typeString;
  }
  return replaced;
}

/** Why a type string cannot be signed. */
export interface StructDefect {
  /** What was expected, in words. */
  readonly expected: string;
  /** What was found, in words. */
  readonly found: string;
}

/**
 * What keeps ballast from signing the operation `name` as `typeString`: a field that it cannot fill or would encode
 * otherwise, or no nonce. Widths of integers are the operator's. `undefined`: nothing.
 */
export function structDefect(
  name: StructName,
  typeString: string,
  table: StructTable = STRUCTS,
): StructDefect | undefined {
  const fields = fieldsOf(typeString);
  if (fields === undefined) return { expected: 'a canonical EIP-712 type string', found: typeString };
  if (name === 'AgentExec') {
    // Digested in place, without a look at names.
    const shape = fields.map(({ type }) => type).join();
    return shape === 'bytes32,uint64' ? undefined : { expected: AGENT_EXEC_TYPE, found: typeString };
  }
  const known = new Map([
    ...SYNONYMS,
    ...[STRUCTS[name], table[name]]
      .flatMap((text) => fieldsOf(text) ?? [])
      .map((field) => [field.name, field.type] as const),
  ]);
  for (const field of fields) {
    const type = known.get(field.name);
    if (type === undefined) return { expected: `a field of ${name} that can be filled`, found: field.name };
    if (encodingOf(type) !== encodingOf(field.type))
      return { expected: `${field.name} of ${name} as ${type}`, found: field.type };
  }
  // Without it what was signed once would never expire, and two requests would have one id.
  if (!fields.some((field) => field.name === 'nonce'))
    return { expected: `a nonce among the fields of ${name}`, found: typeString };
  return undefined;
}

/** Other names under which fields may appear; message builders fill all of them. */
const SYNONYMS: readonly (readonly [string, string])[] = [
  ['account', 'uint32'],
  ['master', 'uint32'],
  ['expiry', 'uint64'],
  ['goodTilMs', 'uint64'],
];

/** Integers of any width are one word with the number at its end; all else is encoded by its type. */
function encodingOf(type: string): string {
  return /^uint[0-9]*$/.test(type) ? 'uint' : type;
}

/** True if this is the name of something that can be signed. */
export function isStructName(name: string): name is StructName {
  return Object.hasOwn(STRUCTS, name);
}

function fieldsOf(typeString: string): readonly TypedField[] | undefined {
  try {
    const { types, primaryType } = parseTypeString(typeString);
    return types[primaryType] ?? [];
  } catch {
    // Naming the bad character does not help: the whole text is shown.
    return undefined;
  }
}

function refusedStruct(expected: string): ConfigError {
  return new ConfigError({
    code: 'PROTOCOL_STRUCT_INVALID',
    message: `expected ${expected}`,
    remedy: "Take the type strings from the exchange's own document, field x-eip712.typeString.",
  });
}
