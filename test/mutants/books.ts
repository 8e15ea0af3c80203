/**
 * @module
 * Mutants of the books: fills, ledger, positions, and what a restart makes of them (invariants I1, I2, I3).
 */
import type { Mutant } from './mutant.ts';

const DEATHS = { faults: { F50: 2, F15: 1 }, ambiguities: {} } as const;

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'number-is-the-order',
    obligation: 'A10',
    breaks: ['I13', 'I28'],
    what: 'counts all fills of a number against the order that is found under it at a start',
    file: 'src/domain/order-tracker.ts',
    find: 'const before = fillsBefore(all, found);',
    replace: 'const before = fillsBefore(all, found).slice(0, 0);',
    hint: { faults: { F41: 12, F57: 4 }, ambiguities: { A10: 'kept' } },
  },
  {
    id: 'late-fill-of-the-newest',
    obligation: 'A10',
    what: 'counts a fill that comes late against the newest order of its number, whichever had it at the place of the fill',
    file: 'src/domain/order-tracker.ts',
    find: 'record.sinceSeq !== undefined && one.seq < record.sinceSeq)',
    replace: 'record.sinceSeq !== undefined && one.seq < 0n)',
    hint: { faults: { F41: 12, F42: 8, F20: 4 }, ambiguities: { A10: 'kept' } },
  },
  {
    id: 'sells-booked-as-buys',
    obligation: 'I2',
    what: 'books every taker fill as a buy',
    file: 'src/domain/inventory.ts',
    find: 'this.#position.apply(fill, perTickLot)',
    replace: "this.#position.apply({ ...fill, side: 'buy' }, perTickLot)",
  },
  {
    id: 'ledger-booked-twice',
    obligation: 'I3',
    what: 'books the ledger entries again that backfill and live frames both bring',
    file: 'src/wire/stream/account/account-facts.ts',
    find: 'if (!this.ledger.take(id)) continue;',
    replace: '',
    hint: { faults: { F15: 3, F18: 3, F32: 2 }, ambiguities: {} },
  },
  {
    id: 'ledger-not-read',
    obligation: 'I3',
    what: 'reads the history of fills after a gap and not that of the ledger',
    file: 'src/wire/stream/account/joiner.ts',
    find: '          facts.applyLedger(entries, source);',
    replace: '',
    hint: { faults: { F15: 4, F21: 2 }, ambiguities: {} },
  },
  {
    id: 'restart-adopts-twice',
    obligation: 'I2',
    what: 'takes over the whole position at a restart beside the fills that made it',
    file: 'src/domain/early-fills.ts',
    find: 'sizeLots: lots(sizeLots - known.sizeLots),',
    replace: 'sizeLots: lots(sizeLots),',
    hint: DEATHS,
  },
  {
    id: 'funding-ignored',
    obligation: 'I3',
    what: 'leaves entries of the ledger out that no fill made',
    file: 'src/wire/stream/account/account-facts.ts',
    find: "this.#sink({ type: 'LedgerRecorded', entry });\n      this.writer.addLedgerEntry(entry);",
    replace:
      "if (entry.orderId === null) continue;\n      this.#sink({ type: 'LedgerRecorded', entry });\n      this.writer.addLedgerEntry(entry);",
    hint: { faults: { F47: 4 }, ambiguities: {} },
  },
  {
    id: 'tokens-of-six-decimals',
    obligation: 'O9',
    breaks: ['I3'],
    what: 'scales every token by six decimals: what comes of another one counts as so much collateral',
    file: 'src/wire/protocol/decode/account.ts',
    find: 'const isCollateral = token === collateral;',
    replace: 'const isCollateral = token >= 0;',
  },
  {
    id: 'volumes-added',
    obligation: 'O94',
    breaks: ['I25'],
    what: 'adds the volume of each frame to its bar instead of replacing it',
    file: 'src/domain/candle-series.ts',
    find: 'list.splice(isKnown ? at : at + 1, isKnown ? 1 : 0, candle);',
    replace:
      'const added = isKnown ? { ...candle, volumeLots: (candle.volumeLots + (list[at]?.volumeLots ?? 0)) as typeof candle.volumeLots } : candle;\n      list.splice(isKnown ? at : at + 1, isKnown ? 1 : 0, added);',
  },
];
