/**
 * @module
 * Reads each kind of answer of an account once, for the names that it has. Bots read them all alike; this is for people.
 */
import type { AccountSelection, Address } from '../../../domain/index.ts';
import {
  ACCOUNT,
  AGENT_ACCOUNTS,
  AGENTS,
  type AssumedNames,
  decodeAssumedNames,
  FILLS_PAGE,
  LEDGER_PAGE,
  ORDERS,
  POSITIONS,
} from '../../protocol/index.ts';
import type { ReadCall } from './client.ts';
import type { Reader } from './read.ts';
import { accountQuery } from './write-pipe.ts';

const OF_ACCOUNT = {
  account: ACCOUNT,
  positions: POSITIONS,
  openOrders: ORDERS,
  fills: FILLS_PAGE,
  ledger: LEDGER_PAGE,
  agents: AGENTS,
} as const;

/** What was found of the assumed names, by endpoint; what does not exist yet has none. `agent`: an API wallet. */
export async function readAssumedNames(
  reader: Reader,
  selection: AccountSelection,
  agent: Address | undefined,
): Promise<ReadonlyMap<string, AssumedNames>> {
  const found = new Map<string, AssumedNames>();
  const look = async (call: ReadCall, schema: Parameters<typeof decodeAssumedNames>[0]): Promise<void> => {
    const names = await reader.readIfThere(call, (text, seq) => decodeAssumedNames(schema, text, seq));
    if (names !== undefined) found.set(call.endpoint, names);
  };
  const query = accountQuery(selection);
  for (const endpoint of Object.keys(OF_ACCOUNT) as (keyof typeof OF_ACCOUNT)[])
    await look({ endpoint, query }, OF_ACCOUNT[endpoint]);
  if (agent !== undefined)
    await look({ endpoint: 'agentAccounts', path: { address: agent } }, AGENT_ACCOUNTS);
  return found;
}
