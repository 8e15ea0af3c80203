/**
 * @module
 * The request to stop: from a signal, from the end of the launcher, from a time limit, from a person at the door of the run,
 * or from inside. A run asks for it
 * and winds down in order; a second signal ends the process at once and leaves the book to the guardian or the switch.
 */
import type { Clock, Timer } from '../../core/index.ts';

/** Why a run ends. */
export type StopReason =
  | { readonly by: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly by: 'time' }
  | { readonly by: 'operator'; readonly actor: string; readonly reason: string }
  | {
      readonly by: 'halt';
      /** The reason, in words. */
      readonly why: string;
      /** The halt code, where there is one: it decides the exit code. */
      readonly code?: string;
    };

/** The words for a stop. */
export function describeStop(reason: StopReason): string {
  switch (reason.by) {
    case 'signal':
      return reason.signal;
    case 'time':
      return 'time limit';
    case 'operator':
      return `${reason.actor}: ${reason.reason}`;
    case 'halt':
      return `halt: ${reason.why}`;
  }
}

/** A stop that is asked for once. */
export interface StopSignal {
  /** Set when a stop was asked for. */
  readonly reason: StopReason | undefined;
  /** Resolves when a stop is asked for. */
  readonly requested: Promise<StopReason>;
  /** Requests the stop; later requests change nothing. */
  request(reason: StopReason): void;
  /** Takes signals and timers back. */
  dispose(): void;
}

/**
 * A terminal hands Ctrl-C to the launcher and to this process, and the launcher hands it on: what comes within this
 * many milliseconds of the first is the same request.
 */
const SAME_SIGNAL_MS = 700;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** How a stop can come about. */
export interface StopSources {
  /** Asks for a stop on its own after this time; `undefined`: never. */
  readonly forMs: number | undefined;
  /**
   * Signals are not for this process: a terminal sends Ctrl-C to the parent and to the embedded exchange alike, and the
   * exchange must outlive the cancels of the bot. It ends when its parent does.
   */
  readonly isDeafToSignals?: boolean;
  /**
   * Opens the log again, after it was rotated: by SIGUSR2, and by SIGHUP where no terminal is there to hang up. Absent: there
   * is no file, SIGUSR2 does nothing and SIGHUP ends the run.
   */
  readonly onReopen?: (() => void) | undefined;
  /** Ends the process: a second signal says that the first one took too long. Absent: by exit code 1. */
  readonly onSecondSignal?: ((signal: NodeJS.Signals) => void) | undefined;
}

/** A stop that time and its own {@link StopSignal.request} ask for, no signal of the process. */
export function stopAfter(clock: Clock, forMs: number | undefined): StopSignal {
  let reason: StopReason | undefined;
  let resolve: (reason: StopReason) => void = () => undefined;
  const requested = new Promise<StopReason>((done) => {
    resolve = done;
  });
  const request = (next: StopReason): void => {
    if (reason !== undefined) return;
    reason = next;
    resolve(next);
  };
  const timer: Timer | undefined =
    forMs === undefined ? undefined : clock.after(forMs, () => request({ by: 'time' }));
  return {
    get reason() {
      return reason;
    },
    requested,
    request,
    dispose: () => timer?.cancel(),
  };
}

/** Listens for a request to stop. */
export function listenForStop(
  clock: Clock,
  { forMs, isDeafToSignals = false, onReopen, onSecondSignal = () => process.exit(1) }: StopSources,
): StopSignal {
  const stop = stopAfter(clock, forMs);
  let firstAtMs = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isDeafToSignals) return;
    const nowMs = clock.monotonicMs();
    if (stop.reason?.by === 'signal' && nowMs - firstAtMs > SAME_SIGNAL_MS) onSecondSignal(signal);
    if (firstAtMs === Number.NEGATIVE_INFINITY) firstAtMs = nowMs;
    stop.request({ by: 'signal', signal });
  };
  /** A launcher that was killed cannot hand a signal on: its end counts as one. Without a launcher there is no channel. */
  const onLauncherGone = (): void => onSignal('SIGHUP');
  const onRotation = (): void => onReopen?.();
  const isService = onReopen !== undefined && process.stderr.isTTY !== true;
  const listeners = [
    ...SIGNALS.map((signal) => [signal, isService && signal === 'SIGHUP' ? onRotation : onSignal] as const),
    ['SIGUSR2', onRotation] as const,
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  process.on('disconnect', onLauncherGone);
  if (process.connected === false) onLauncherGone();
  return {
    get reason() {
      return stop.reason;
    },
    requested: stop.requested,
    request: (reason) => stop.request(reason),
    dispose() {
      stop.dispose();
      for (const [signal, listener] of listeners) process.off(signal, listener);
      process.off('disconnect', onLauncherGone);
    },
  };
}
