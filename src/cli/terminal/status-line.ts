/**
 * @module
 * The status of a run on a terminal: one line that redraws itself. Where there is no terminal, a plain line each few
 * seconds. It goes to standard error, so that standard output holds only results.
 */
import type { RunStatus } from '../../bot/live/index.ts';
import type { Clock } from '../../core/index.ts';
import { forPeople } from './output.ts';

/** Where a status goes. */
export interface StatusOutput {
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
  /** True if the output may have colors. */
  readonly isColored: boolean;
  /** Columns of the terminal. */
  columns(): number;
  /** Writes text without a line break. */
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

/** What is shown: the run, and how many lines of its log are lost. */
export type ShownStatus = RunStatus & { readonly lostLines?: number };

/** Shows what `read` gives until it is stopped. */
export function showStatus(read: () => ShownStatus, clock: Clock, output: StatusOutput): StatusLine {
  const draw = (): void => {
    if (output.isTerminal) {
      const columns = output.columns() - 1;
      const text = shorten(forPeople(renderStatus(read(), columns)), columns);
      output.write(`\r\u001b[2K${colored(text, output)}`);
    } else output.write(`${forPeople(renderStatus(read()))}\n`);
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

/** A part of the line: its text, the turn at which it gives way, and what is left of it then; without a turn it stays. */
type Part = readonly [text: string, givesWay?: number, shorter?: string];
const TURNS = 5;

/**
 * A status as one line of text: whether all is well first, then what is wrong, then what the bot does. Where it is longer
 * than `columns`, without what matters least.
 */
export function renderStatus(status: ShownStatus, columns = Number.POSITIVE_INFINITY): string {
  const { failing, unresolved, halts, reasons, lostLines = 0 } = status;
  let parts: readonly Part[] = [
    [failing.length === 0 ? 'health ok' : `health ${failing.join(',')}`],
    [`deadman ${describeSwitch(status.switchLeftS)}`],
    [status.state],
    ...(unresolved > 0 ? [[`UNRESOLVED ${unresolved}`] as const] : []),
    ...(halts.length > 0 ? [[`HALTED ${halts.join('; ')}`] as const] : []),
    ...(lostLines > 0 ? [[`LOST ${lostLines} LINES OF THE LOG`] as const] : []),
    ...(reasons.length > 0 ? [[reasons.join('; ')] as const] : []),
    ...status.markets.map(partOf),
    [`pnl ${status.pnl}`, 5],
    [`fills ${status.fills}`, 2],
    [`orders ${status.orders}`, 1],
    [clockText(status.elapsedMs), 3],
  ];
  const text = (): string => parts.map(([part]) => part).join(' | ');
  for (let turn = 1; turn <= TURNS && text().length > columns; turn++)
    parts = parts.flatMap((part): readonly Part[] => {
      const [, givesWay, shorter] = part;
      if (givesWay !== turn) return [part];
      return shorter === undefined ? [] : [[shorter]];
    });
  return text();
}

/** Quotes give way, why there are none does not. */
function partOf({ symbol, position, bid, ask, noQuoteReason }: RunStatus['markets'][number]): Part {
  const held = `${symbol} pos ${position}`;
  if (bid !== undefined || ask !== undefined) return [`${held} ${bid ?? '-'}/${ask ?? '-'}`, 4, held];
  return [`${held} no quotes${noQuoteReason === undefined ? '' : ` (${noQuoteReason})`}`];
}

function clockText(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** At most `columns` characters, so that a redraw never wraps. */
function shorten(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** Green while quoting, red when something is wrong, yellow on the way. */
function colored(text: string, { isColored }: StatusOutput): string {
  if (!isColored) return text;
  const color = /\b(?:degraded|stopped) \| |UNRESOLVED|HALTED|health H/.test(text)
    ? 31
    : text.includes('quoting | ')
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
