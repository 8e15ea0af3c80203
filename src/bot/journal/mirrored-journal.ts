/**
 * @module
 * What all journals share: how each kind of record is asked for, and the answers, which come from a mirror in memory that
 * follows what is durable. Where records go and when they are durable is the journal's own.
 */
import type { UnixMs } from '../../core/index.ts';
import type { CarriedHoldings, Lots, MarketSymbol, Nonce } from '../../domain/index.ts';
import type { OrderOwner } from './order-owners.ts';
import type {
  JournalCursors,
  JournalEffects,
  JournalHistory,
  JournalOutcome,
  JournalRecord,
  JournalWrite,
} from './records.ts';
import { JournalState } from './state.ts';

/** A journal without its file. */
export abstract class MirroredJournal {
  /** Of what is durable. */
  protected state = new JournalState();

  /**
   * Resolves when the record is durable. `isLazy`: nothing is sent on the strength of it. An outcome that is lost with
   * the process is found again by its receipt at the next start, so it need not cost its own commit.
   */
  protected abstract append(record: JournalRecord, isLazy: boolean): Promise<void>;

  /** {@link recordWrite} is about to be called, perhaps: a disk that is asleep may wake up. */
  expectWrite(): void {
    // Memory does not sleep.
  }

  recordWrite(value: JournalWrite): Promise<void> {
    return this.append({ type: 'write', value }, false);
  }

  recordOutcome(value: JournalOutcome): Promise<void> {
    return this.append({ type: 'outcome', value }, true);
  }

  recordTrigger(triggerAtMs: UnixMs): Promise<void> {
    return this.append({ type: 'trigger', value: { triggerAtMs } }, true);
  }

  recordEffects(value: JournalEffects): Promise<void> {
    return this.append({ type: 'effects', value }, false);
  }

  resetEpoch(epoch: string, holdings?: CarriedHoldings['holdings']): Promise<void> {
    return this.append(
      { type: 'epoch', value: holdings === undefined ? { epoch } : { epoch, holdings } },
      false,
    );
  }

  openWrites(): readonly JournalWrite[] {
    return this.state.openWrites();
  }

  highestNonce(scope: string): Nonce | undefined {
    return this.state.highestNonce(scope);
  }

  consumedNonce(scope: string, epoch: string): Nonce | undefined {
    return this.state.consumedNonce(scope, epoch);
  }

  lastTriggerAtMs(): UnixMs | undefined {
    return this.state.lastTriggerAtMs();
  }

  cursors(): JournalCursors | undefined {
    return this.state.cursors();
  }

  effects(): JournalHistory {
    return this.state.effects();
  }

  placedOrders(): readonly OrderOwner[] {
    return this.state.placedOrders();
  }

  carried(): CarriedHoldings | undefined {
    return this.state.carried();
  }

  accepted(): ReadonlyMap<MarketSymbol, Lots> {
    return this.state.accepted();
  }
}
