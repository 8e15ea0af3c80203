/** @module The exit code of a run over a tape. It is not beside the other codes: those are loaded by every start. */
import { isBadOutcome, type RunRecord } from '../../domain/index.ts';
import { EXIT } from './exit-codes.ts';

/** The exit code of a run over a tape: a residual is a fault, then its strategies decide. */
export function exitCodeOfRun({ residual, outcomes }: Pick<RunRecord, 'residual' | 'outcomes'>): number {
  if (residual !== 0n) return EXIT.failure;
  return outcomes.some(isBadOutcome) ? EXIT.strategy : EXIT.ok;
}
