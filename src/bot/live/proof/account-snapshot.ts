/**
 * @module
 * What the exchange itself says of an account: open orders, the full history of fills and ledger, positions, balance.
 * Read over its own connection, with nothing taken from a bot's memory. The proof at the end of a run uses it.
 */
import { BotError } from '../../../core/index.ts';
import type { AccountSelection, Fill, LedgerEntry, Quantums } from '../../../domain/index.ts';
import {
  type PageCall,
  readAccount,
  readFillsPage,
  readLedgerPage,
  readOpenOrders,
  readPositions,
} from '../../../wire/gateway/index.ts';
import type { Page } from '../../../wire/protocol/index.ts';
import type { Environment } from '../connect/environment.ts';
import type { AccountSnapshot, Baseline } from './proof.ts';

/** Pages of a history at most: 1,000 entries each. */
const PAGES_MAX = 10_000;
/** Attempts to find the ledger at rest between two reads of the balance. */
const ATTEMPTS_MAX = 20;

/** Reads everything at or after `minSeq`. @throws BotError `VERIFICATION_UNSTABLE` when the ledger keeps changing. */
export async function readAccountSnapshot(
  environment: Environment,
  selection: AccountSelection,
  minSeq: bigint | undefined,
): Promise<AccountSnapshot> {
  const { gateway, context } = environment;
  const options = { selection, context, minSeq };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const before = await readAccount(gateway.reader, options);
    const fills = await readAll<Fill>(
      (page) => readFillsPage(gateway.reader, { selection, context, page }),
      minSeq,
    );
    const ledger = await readAll<LedgerEntry>(
      (page) => readLedgerPage(gateway.reader, { selection, context, page }),
      minSeq,
    );
    const orders = await readOpenOrders(gateway.reader, options);
    const positions = await readPositions(gateway.reader, options);
    const after = await readAccount(gateway.reader, options);
    if (before?.value.collateral !== after?.value.collateral) continue;
    return {
      epoch: ledger.epoch,
      openOrders: orders?.value.length ?? 0,
      fills: fills.entries,
      ledger: ledger.entries,
      positions: positions?.value ?? [],
      account: after?.value,
    };
  }
  throw new BotError({
    code: 'VERIFICATION_UNSTABLE',
    message: `expected the balance to stay the same while its ledger is read, it moved in ${ATTEMPTS_MAX} attempts`,
    remedy: 'Something else trades on this account: find it, then read again.',
  });
}

/** Notes where the histories end now. An account that does not exist yet has neither. */
export async function readBaseline(environment: Environment, selection: AccountSelection): Promise<Baseline> {
  const snapshot = await readAccountSnapshot(environment, selection, undefined);
  return {
    fills: snapshot.fills.at(-1)?.id,
    ledger: snapshot.ledger.at(-1)?.id,
    equity: snapshot.account?.equity ?? (0n as Quantums),
    snapshot,
  };
}

/** A full history: the first page fixes epoch and bound, later pages keep them (obligation O106). */
async function readAll<Entry>(
  read: (page: PageCall) => Promise<Page<Entry>>,
  minSeq: bigint | undefined,
): Promise<{ readonly epoch: string; readonly entries: readonly Entry[] }> {
  const first = await read({ limit: 1000, minSeq });
  const entries = [...first.entries];
  let page = first;
  for (let count = 1; page.hasMore && page.next !== null && count < PAGES_MAX; count++) {
    page = await read({ limit: 1000, after: page.next, epoch: first.epoch, upper: first.upper, minSeq });
    entries.push(...page.entries);
  }
  return { epoch: first.epoch, entries };
}
