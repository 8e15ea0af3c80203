/**
 * @module
 * The status of a run on a terminal: one line that redraws itself. Where there is no terminal, a plain line each few
 * seconds. It goes to standard error, so that standard output holds results alone.
 */
import type { RunStatus } from '../../bot/live/index.ts';
import type { Clock } from '../../core/index.ts';

/** Where a status goes. */
export interface StatusOutput {
  readonly isTerminal: boolean;
  readonly isColored: boolean;
  /** Columns of the terminal. */
  columns(): number;
  write(text: string): void;
}

/** A status that is being shown. */
export interface StatusLine {
  /** Takes it down; on a terminal the last state stays as a line. */
  stop(): void;
}

/** How often a terminal is redrawn, and how often a plain line is written, in milliseconds. */
const REDRAW_MS = 250;
const PLAIN_MS = 5_000;

/** Shows what `read` gives until it is stopped. */
export function showStatus(read: () => RunStatus, clock: Clock, output: StatusOutput): StatusLine {
  const draw = (): void => {
    const text = renderStatus(read());
    output.write(
      output.isTerminal ? `\r\u001b[2K${colored(shorten(text, output.columns()), output)}` : `${text}\n`,
    );
  };
  draw();
  const timer = clock.every(output.isTerminal ? REDRAW_MS : PLAIN_MS, draw);
  return {
    stop() {
      timer.cancel();
      draw();
      if (output.isTerminal) output.write('\n');
    },
  };
}

/** A status as one line of text. */
export function renderStatus(status: RunStatus): string {
  const parts = [
    clockText(status.elapsedMs),
    status.state,
    ...status.markets.map(
      ({ symbol, position, bid, ask, silence }) =>
        `${symbol} pos ${position} ${bid === undefined && ask === undefined ? `no quotes${silence === undefined ? '' : ` (${silence})`}` : `${bid ?? '-'} / ${ask ?? '-'}`}`,
    ),
    `pnl ${status.pnl}`,
    `fills ${status.fills}`,
    `orders ${status.orders}`,
    `switch ${describeSwitch(status.switchLeftS)}`,
    `health ${status.red.length === 0 ? 'ok' : status.red.join(',')}`,
    ...(status.unresolved > 0 ? [`UNRESOLVED ${status.unresolved}`] : []),
    ...(status.reasons.length > 0 ? [status.reasons.join('; ')] : []),
  ];
  return parts.join(' | ');
}

function clockText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** At most `columns` characters, so that a redraw never wraps. */
function shorten(text: string, columns: number): string {
  return text.length <= columns - 1 ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
}

/** Green while quoting, red when something is wrong, yellow on the way. */
function colored(text: string, { isColored }: StatusOutput): string {
  if (!isColored) return text;
  const color = / \| (?:degraded|stopped)|UNRESOLVED|health H/.test(text)
    ? 31
    : text.includes(' | quoting')
      ? 32
      : 33;
  return `\u001b[${color}m${text}\u001b[0m`;
}

/** No switch is set a day ahead: before a paper run has armed its own, nothing that rests can be canceled by one. */
const SWITCH_S_MAX = 86_400;

function describeSwitch(leftS: number | undefined): string {
  if (leftS === undefined) return 'off';
  return leftS > SWITCH_S_MAX ? 'without end' : `${leftS}s`;
}
