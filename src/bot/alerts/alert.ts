/**
 * @module
 * What people are told of a run: problems that begin, last and pass, and events. Each kind has one row, here or in the
 * table of problems.
 */
import { PROBLEMS, type ProblemName, type Severity } from '../operator/index.ts';

/** What happens once, and is over when it is told. */
const EVENTS = {
  'run-started': { severity: 'info', meaning: 'A run has begun to trade.' },
  'run-restarted': {
    severity: 'warning',
    meaning: 'A run has begun after one of the same bot that had not ended itself in order.',
  },
  'run-ended': {
    severity: 'warning',
    meaning: 'A run has ended as somebody asked for, nothing halted, with the proof that no order is open.',
  },
  'run-failed': {
    severity: 'critical',
    meaning:
      'A run has ended by a halt or an error, halted by a control, or without the proof that no order is open.',
  },
  'run-died': {
    severity: 'critical',
    meaning: 'The process of a run is gone or hung; its guardian canceled what was open, and says it.',
  },
  'switch-fired': {
    severity: 'critical',
    meaning: "The dead man's switch has fired: the exchange canceled all orders.",
  },
  'daily-summary': { severity: 'info', meaning: 'The UTC day is over: its profit, fees, fills, positions.' },
  test: { severity: 'info', meaning: 'Somebody typed `ballast alerts test`.' },
} as const satisfies Readonly<Record<string, { readonly severity: Severity; readonly meaning: string }>>;

/** A name of {@link EVENTS}. */
export type EventName = keyof typeof EVENTS;

/** A kind of alert. */
export type AlertKind = EventName | ProblemName;

/** A kind of alert for people. */
interface KindWords {
  readonly severity: Severity;
  readonly meaning: string;
  /** How long a problem lasts before it is told; absent: an event. */
  readonly after?: string;
}

/** Every kind of alert with its severity and meaning. */
export const ALERT_KINDS: Readonly<Record<string, KindWords>> = {
  ...Object.fromEntries(
    Object.entries(PROBLEMS)
      .filter(([, { isAlert }]) => isAlert)
      .map(([name, { severity, meaning, holdMs }]) => {
        const after = name === 'stale-market' ? '`staleMarket`' : `${holdMs / 1_000} s`;
        return [name, { severity, meaning, after }];
      }),
  ),
  ...EVENTS,
};

/** One thing that is told. */
export interface Alert {
  readonly kind: AlertKind;
  /** `account`, a market, a strategy, a check: with its kind it names the problem. */
  readonly about: string;
  readonly severity: Severity;
  /** `raised`: it begins; `lasts`: it is said again; `cleared`: it is over; `event`: it happened once. */
  readonly state: 'raised' | 'lasts' | 'cleared' | 'event';
  readonly text: string;
  /** Unix ms. */
  readonly atMs: number;
}

/** Whose alerts they are. */
export interface AlertSource {
  readonly runId: string;
  /** Name of the bot. */
  readonly name: string;
  readonly mode: string;
  readonly environment: string;
}

/** The severity of an event. */
export function eventOf(kind: EventName, about: string, text: string, atMs: number): Alert {
  return { kind, about, severity: EVENTS[kind].severity, state: 'event', text, atMs };
}

/** A line for people. */
export function lineOf({ severity, state, kind, about, text }: Alert): string {
  const mark = state === 'cleared' ? 'over' : state === 'lasts' ? `${severity}, still` : severity;
  return `[${mark}] ${kind} ${about}: ${text}`;
}
