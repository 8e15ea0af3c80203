/** @module The attestation of a run that has ended, made of its facts and of a reading of the exchange, or why there is none. */
import { BotError } from '../../../core/index.ts';
import type { Crypto } from '../../../wire/crypto/index.ts';
import type { LoadedWallet } from '../connect/wallets.ts';
import type { AccountSnapshot } from '../proof/proof.ts';
import { type Attestation, type AttestFacts, signAttestation } from './document.ts';
import { statementOf } from './statement.ts';

/** The attestation of a run by what the exchange shows now. @throws BotError `ATTEST_...`, naming what keeps it from being attested. */
export async function attestationOf(
  parts: { readonly runId: string; readonly facts: AttestFacts; readonly snapshot: AccountSnapshot },
  crypto: Crypto,
  key: LoadedWallet['key'],
): Promise<Attestation> {
  const { runId, facts, snapshot } = parts;
  const { name, environment, account, start, end, orders } = facts;
  const { fills, ledger, epoch } = snapshot;
  if (facts.unproven !== '') throw unproven(runId, facts);
  if (epoch !== facts.epoch)
    throw refused('ATTEST_EPOCH_CHANGED', runId, `the ledger ${facts.epoch} of the run, got ${epoch}`);
  const statement = statementOf({ start, end, fills, ledger, owners: ownersOf(orders) });
  const { residual, disagreements } = statement;
  if (residual !== '0' || disagreements.length > 0)
    throw refused(
      'ATTEST_RESIDUAL',
      runId,
      `a residual of 0, got ${residual}; ${disagreements[0] ?? 'the owners agree'}`,
    );
  return await signAttestation(
    {
      ...{ schema: 1, kind: 'ballast-attestation', runId, name, environment, account },
      ...{ epoch, start, end, statement, orders },
    },
    crypto,
    key,
  );
}

/** Order to strategy. */
function ownersOf(orders: Attestation['orders']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(orders).flatMap(([strategy, ids]) => ids.map((id) => [id, strategy] as const)),
  );
}

/** Why a run is not attested whose end is not proven. */
export function unproven(runId: string, facts: AttestFacts): BotError {
  return refused('ATTEST_NOT_PROVEN', runId, `a run whose end is proven, got ${facts.unproven}`);
}

/** The run has left nothing to attest. */
export function factsMissing(runId: string): BotError {
  return refused(
    'ATTEST_FACTS_MISSING',
    runId,
    'a run that has ended and left its facts, got one that goes on, died, or keeps none',
  );
}

/** The run was on no gateway that somebody could read afterwards. */
export function runSimulated(runId: string, mode: string): BotError {
  const why = mode === 'paper' ? 'its orders reached no exchange' : 'its exchange and its keys ended with it';
  return new BotError({
    code: 'ATTEST_RUN_SIMULATED',
    message: `run ${runId}: expected a run with --mode live, got one with --mode ${mode}: ${why}`,
    remedy:
      'What it proved is in its result and in `ballast report`. To try an attestation, start `ballast sim` and run against its address with --mode live.',
  });
}

/** Nobody is there who could sign. */
export function walletMissing(runId: string): BotError {
  return refused('ATTEST_WALLET_MISSING', runId, 'a trading wallet in its configuration, got none');
}

function refused(
  code:
    | 'ATTEST_FACTS_MISSING'
    | 'ATTEST_NOT_PROVEN'
    | 'ATTEST_WALLET_MISSING'
    | 'ATTEST_EPOCH_CHANGED'
    | 'ATTEST_RESIDUAL',
  runId: string,
  expected: string,
): BotError {
  return new BotError({
    code,
    message: `run ${runId}: expected ${expected}`,
    remedy:
      'Only a run with a proven end on a gateway that still has its ledger is attested: `ballast runs` shows how each ended.',
  });
}
