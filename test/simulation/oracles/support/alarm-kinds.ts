/**
 * @module
 * The alarm of each kind of anomaly (I28): what makes it due, and which log line raises it. An alarm of another kind is
 * none: who is called because of the budget does not look at a lane that halted.
 */
import type { AuditEvent } from '../../../../src/core/index.ts';
import type { Sight } from '../../types.ts';
import { rowOf } from './journal-text.ts';
import type { Refusal } from './refusals.ts';
import type { Scene } from './scene.ts';
import { readAnswer, type Write } from './write-book.ts';

type Alarm = Extract<Sight, { kind: 'log' }>;

/** An alarm that is due. */
export interface Expected {
  readonly what: string;
  /** Of the alarm that a lane has halted: it is raised once a life. */
  readonly lane?: string;
  isRaisedBy(alarm: Pick<Alarm, 'message' | 'fields'>): boolean;
}

/** Alarms of anomalies that are no reason to hold trading. */
const ANOMALIES: Readonly<Record<string, string>> = {
  positionAdopted: 'adopted a position without matching fills',
  switchFired: 'dead man switch fired',
  switchFiredOtherwise: 'dead man switch fired',
  missingItem: 'write unresolved: response inconclusive',
};
/** Controls that anomalies make hold trading: their alarm is the control's. */
const CONTROLS: Readonly<Record<string, string>> = {
  fillWithoutOrder: 'M2',
  overfill: 'M2',
  positionUnsettled: 'M2',
  unknownOrder: 'M10',
};
/** Refusals that only a new grant ends: the lane halts (obligation O49). */
const GONE: ReadonlySet<string> = new Set(['UnknownAgent', 'AgentExpired', 'AgentMasterMismatch']);

/** The alarm that an audit event makes due; `held`: controls that hold trading, for which it stands already. */
export function alarmOfAudit({ type, fields }: AuditEvent, held: ReadonlySet<string>): Expected | undefined {
  switch (type) {
    case 'TradingStateChanged': {
      const { control, state } = fields;
      // A person who orders a state needs nobody to tell him.
      if (control === undefined || state === 'active') return undefined;
      return beginning(`${String(control)}: trading is ${String(state)}`);
    }
    case 'AnomalySeen': {
      const kind = String(fields['kind']);
      const control = CONTROLS[kind];
      if (control !== undefined) return held.has(control) ? undefined : beginning(`${control}: trading is`);
      return beginning(ANOMALIES[kind] ?? kind);
    }
    case 'StrategyFailed':
      return beginning(`strategy ${String(fields['strategy'])} failed`);
    case 'InboxOverflowed':
      return beginning('facts about own orders came faster than they could be handled');
    case 'KernelCrashed':
      return beginning('the run stops');
    case 'PositionBare':
      return beginning('the switch fired and a position is open without orders');
    default:
      return undefined;
  }
}

/** The alarm that a row of the journal makes due: a second writer halts the lane (obligation O29). */
export function alarmOfRow({ writes }: Scene, sight: Sight): Expected | undefined {
  const row = rowOf(sight);
  if (row?.type !== 'outcome' || row.value.outcome !== 'superseded') return undefined;
  const by = /^conflict:(0x[0-9a-f]+)$/i.exec(row.value.proof)?.[1];
  const lane = writes.byRequestId(row.value.requestId)?.row?.lane;
  if (by === undefined || lane === undefined || writes.byRequestId(by) !== undefined) return undefined;
  return laneHalted(lane);
}

/** The alarm that an answer makes due: a budget that was overdrawn, a grant that is gone. */
export function alarmOfAnswer(
  sight: Extract<Sight, { kind: 'answer' }>,
  write: Write | undefined,
  refusal: Refusal | undefined,
): Expected | undefined {
  if (refusal !== undefined)
    return {
      what: `a 429 of bucket ${refusal.bucket}`,
      isRaisedBy: ({ message, fields }) =>
        message === 'the gateway refused a request over budget' && fields['bucket'] === refusal.bucket,
    };
  const lane = write?.row?.lane;
  const isGone = sight.status >= 400 && GONE.has(readAnswer(sight).code ?? '');
  return isGone && lane !== undefined ? laneHalted(lane) : undefined;
}

function laneHalted(lane: string): Expected {
  return {
    what: `lane ${lane}, which has to halt`,
    lane,
    isRaisedBy: ({ message, fields }) => message === 'lane halted' && fields['lane'] === lane,
  };
}

function beginning(what: string): Expected {
  return { what, isRaisedBy: ({ message }) => message.startsWith(what) };
}
