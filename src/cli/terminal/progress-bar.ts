/**
 * @module
 * The progress of work whose size is known: share done, rate, time left. One line that redraws itself on a terminal;
 * nothing elsewhere.
 */
import type { Clock } from '../../core/index.ts';

/** Where a bar goes. */
export interface BarOutput {
  /** True if the output is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal, characters. */
  columns(): number;
  /** Writes text without a line break. */
  write(text: string): void;
}

/** A bar that is being shown. */
export interface ProgressBar {
  /** So much of `total` is done. */
  show(done: number, total: number): void;
  /** Takes it away. */
  end(): void;
}

const REDRAW_MS = 100;
const CELLS = 24;

/** A bar of work that is counted in `unit`, such as `rows`. */
export function progressBar(unit: string, clock: Clock, output: BarOutput): ProgressBar {
  const beganAtMs = clock.monotonicMs();
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(done, total) {
      const nowMs = clock.monotonicMs();
      if (!output.isTerminal || nowMs - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = nowMs;
      const text = barText({ done, total, tookMs: nowMs - beganAtMs, unit });
      output.write(`\r\u001b[2K${text.slice(0, Math.max(0, output.columns() - 1))}`);
    },
    end() {
      if (output.isTerminal) output.write('\r\u001b[2K');
    },
  };
}

/** The bar as text. @example barText({ done: 5e5, total: 1e6, tookMs: 1000, unit: 'rows' }) */
export function barText(parts: {
  readonly done: number;
  readonly total: number;
  readonly tookMs: number;
  readonly unit: string;
}): string {
  const { done, total, tookMs, unit } = parts;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * CELLS);
  const perMs = tookMs === 0 ? 0 : done / tookMs;
  const leftS = perMs === 0 ? undefined : Math.ceil((total - done) / perMs / 1_000);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)}`;
  const left = leftS === undefined ? '' : `, ${leftS} s left`;
  return `${bar} ${Math.floor(share * 100)} %, ${rateText(perMs * 1_000)} ${unit}/s${left}`;
}

function rateText(perSecond: number): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toFixed(1)} M`;
  return perSecond >= 1e3 ? `${(perSecond / 1e3).toFixed(0)} k` : perSecond.toFixed(0);
}
