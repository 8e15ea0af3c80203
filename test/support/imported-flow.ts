/** @module A foreign recording as a tape of the test's own, and the events that a recorded flow plays of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { must } from '../../src/core/index.ts';
import { type RecordedFlowEvent, TapePlayback } from '../../src/exchange/flow/recorded-source.ts';
import { openTape, type RecordingFormat, type Tape } from '../../src/tape/format/index.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { sharedPath } from './shared.ts';

/** The recorded sets of `../shared/data` that hold books and trades of one kind, with their formats. */
export const BOOK_RECORDINGS: readonly (readonly [folder: string, format: RecordingFormat])[] = [
  ['standx-btcusd-20260106', 'standx'],
  ['binance-um-btcusdt-20230404', 'binance-um'],
  ['binance-um-20240808', 'binance-um'],
];

/** Imports files into a folder that is gone when the test ends. */
export async function importedTape(format: RecordingFormat, ...paths: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'imported-tape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const result = await importTape({ format, paths, out: folder, locked: 'separate' });
  return { folder, result };
}

/** The folder of a tape of the first hour of the StandX set. */
export async function standxHour(): Promise<string> {
  const files = ['book', 'trades'].map((what) =>
    sharedPath('data', 'standx-btcusd-20260106', `${what}_2026-01-06_08.csv.gz`),
  );
  return (await importedTape('standx', ...files)).folder;
}

/** The events of a market (the first if left out) of `tape`, until `untilMs` of recorded time. */
export function playedEvents(tape: Tape, symbol?: string, untilMs = Number.POSITIVE_INFINITY) {
  const index = symbol === undefined ? 0 : tape.markets.findIndex((one) => one.symbol === symbol);
  const market = must(tape.markets[index], 'the market of the tape');
  const source = new TapePlayback(tape.batches(), {
    market: index,
    bookStep: market.bookStep,
    onFailure(error) {
      throw error;
    },
  });
  const events: RecordedFlowEvent[] = [];
  for (let event = source.shift(); event !== undefined && event.atMs <= untilMs; event = source.shift())
    events.push(event);
  source.stop();
  return { market, events, tradesMoved: source.tradesMoved };
}

/** Both at once. */
export async function importedFlow(format: RecordingFormat, ...paths: readonly string[]) {
  const { folder, result } = await importedTape(format, ...paths);
  return { ...playedEvents(openTape(folder)), result };
}
