/**
 * @module
 * The table of signed structs: one EIP-712 type string per operation, replaceable at run time (decision B4). Known are
 * ApproveAgent, RevokeAgent and AgentExec (wire-facts 1.2); the others are own choices after wire-facts 8: `address owner`,
 * `uint32 account`, the command's fields in codec order, `uint64 nonce` last; lists as keccak256 of their canonical bytes.
 */
import { ConfigError } from '../core/index.ts';
import { AGENT_EXEC_TYPE, parseTypeString } from '../crypto/index.ts';
import type { CanonicalCommand, MainWalletOperation } from '../domain/index.ts';

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
 * @throws ConfigError when a name is unknown, a type string is not canonical, or it has a field that ballast cannot fill.
 */
export function replaceStructs(
  replacements: Readonly<Record<string, string>>,
  table: StructTable = STRUCTS,
): StructTable {
  const replaced: Record<StructName, string> = { ...table };
  for (const [name, typeString] of Object.entries(replacements)) {
    if (!isStructName(name)) {
      throw refusedStruct(`the name of a signed operation, was ${JSON.stringify(name)}`);
    }
    const known = new Set([...fieldsOf(STRUCTS[name]), ...fieldsOf(table[name])]);
    for (const field of fieldsOf(typeString)) {
      if (!known.has(field) && !SYNONYMS.has(field)) {
        throw refusedStruct(`a field of ${name} that can be filled, was ${JSON.stringify(field)}`);
      }
    }
    replaced[name] = typeString;
  }
  return replaced;
}

/** Other names under which fields may appear; message builders fill all of them. */
const SYNONYMS: ReadonlySet<string> = new Set(['account', 'master', 'expiry', 'goodTilMs']);

/** Is this the name of something that can be signed? */
export function isStructName(name: string): name is StructName {
  return Object.hasOwn(STRUCTS, name);
}

function fieldsOf(typeString: string): string[] {
  try {
    const { types, primaryType } = parseTypeString(typeString);
    return (types[primaryType] ?? []).map(({ name }) => name);
  } catch (cause) {
    throw refusedStruct(
      `a canonical EIP-712 type string, was ${JSON.stringify(typeString.slice(0, 120))}`,
      cause,
    );
  }
}

function refusedStruct(expected: string, cause?: unknown): ConfigError {
  return new ConfigError({
    code: 'PROTOCOL_STRUCT_INVALID',
    message: `expected ${expected}`,
    remedy: "Take the type strings from the exchange's own document, field x-eip712.typeString.",
    cause,
  });
}
