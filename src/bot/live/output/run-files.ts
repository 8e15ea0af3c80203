/** @module What later questions need of a run on a gateway: where its journal is, and the journal itself where that goes with the run. */
import { join, resolve } from 'node:path';
import type { ConfigSource } from '../../../config/index.ts';
import { type Log, messageOf } from '../../../core/index.ts';
import type { AccountSelection } from '../../../domain/index.ts';
import { explain, keepJournalCopy, keepRunFacts, questionOf } from '../../explain/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { AttestFacts } from '../attest/document.ts';
import { pointOf } from '../attest/statement.ts';
import { instanceOf } from '../bot-name.ts';
import type { Environment } from '../connect/environment.ts';
import type { SimulatedMachine } from '../connect/machine.ts';
import { readAccountSnapshot } from '../proof/account-snapshot.ts';
import type { Ended } from '../proof/end-run.ts';
import type { Baseline } from '../proof/proof.ts';

/** The files of one run. */
export interface RunFiles {
  /** Answers a question about its past; absent: nothing of it is on a disk. @throws BotError `EXPLAIN_...`. */
  readonly explain?: (words: readonly string[]) => object;
  /** The run has ended and its journal is closed. What cannot be read is logged, and the run is not attested. */
  end(ended: EndedRun): Promise<void>;
}

/** What the end of a run is written down from. */
interface EndedRun {
  readonly ended: Ended;
  readonly reader: Environment;
  readonly selection: AccountSelection;
  readonly baseline: Baseline;
}

/** Keeps where the journal of a run is; `undefined`: the run leaves no files. */
export function runFilesOf(
  options: {
    readonly mode: string;
    readonly recordFolder: string | undefined;
    readonly machine?: SimulatedMachine | undefined;
    readonly log: Log;
    readonly source: ConfigSource;
  },
  kept: Pick<Journal, 'path' | 'placedOrders'>,
  runId: string,
): RunFiles | undefined {
  const { mode, recordFolder, machine, log, source } = options;
  if (machine !== undefined) {
    const { onAttestFacts } = machine;
    if (onAttestFacts === undefined) return undefined;
    return {
      end: async (run) => {
        const attest = await attestFactsOf(run, source, kept);
        if (attest !== undefined) onAttestFacts(attest);
      },
    };
  }
  if (recordFolder === undefined) return undefined;
  const folder = join(recordFolder, runId);
  const journal = resolve(kept.path);
  const facts = { schema: 1, runId, journal } as const;
  keepRunFacts(folder, facts, log);
  return {
    explain: (words) => explain({ runId, folder, journal }, questionOf(words)),
    end: async (run) => {
      // The journal of an account that is gone with its exchange is removed with it.
      if (mode !== 'live') keepJournalCopy(folder, journal, log);
      try {
        const attest = await attestFactsOf(run, source, kept);
        if (attest !== undefined) keepRunFacts(folder, { ...facts, attest }, log);
      } catch (cause) {
        log.warn('the run cannot be attested: its account could not be read', { error: messageOf(cause) });
      }
    },
  };
}

async function attestFactsOf(
  { ended, reader, selection, baseline }: EndedRun,
  source: ConfigSource,
  kept: Pick<Journal, 'placedOrders'>,
): Promise<AttestFacts | undefined> {
  if (baseline.snapshot === undefined) return undefined;
  const snapshot = await readAccountSnapshot(reader, selection, undefined);
  const { baseUrl = '', headerPrefix } = source.config.environment;
  const filled = new Set<string>(snapshot.fills.map(({ orderId }) => orderId));
  const orders: Record<string, string[]> = {};
  for (const { orderId, strategyId } of kept.placedOrders())
    if (filled.has(orderId)) orders[strategyId] = [...(orders[strategyId] ?? []), orderId];
  return {
    name: instanceOf(source.config),
    environment: { id: reader.id, baseUrl, headerPrefix },
    account: selection,
    epoch: snapshot.epoch,
    start: pointOf(baseline.snapshot),
    end: pointOf(snapshot),
    orders,
    unproven: whyUnproven(ended, baseline.snapshot.epoch === snapshot.epoch),
  };
}

/** Why a run may not be attested; empty: it may. */
function whyUnproven({ proof, openOrdersProof, unresolved }: Ended, isSameLedger: boolean): string {
  if (!openOrdersProof.isProven) return openOrdersProof.why;
  if (unresolved > 0) return `${unresolved} writes without a proven outcome`;
  if (!proof.reconciled) return proof.differences.join('; ');
  if (proof.ledgerResidual !== '0') return `a residual of ${proof.ledgerResidual} against the ledger`;
  return isSameLedger ? '' : 'a new ledger that began within the run';
}
