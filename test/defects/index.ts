/** @module All wrong exchanges. The conformance suite must name each of them by the check of its rule. */
import type { Defect } from './defect.ts';
import { DEFECTS as OFFERS } from './offers.ts';
import { DEFECTS as READS } from './reads.ts';
import { DEFECTS as STREAMS } from './streams.ts';
import { DEFECTS as TRADING } from './trading.ts';
import { DEFECTS as WRITES } from './writes.ts';

/** All of them, by area. */
export const DEFECTS: readonly Defect[] = [...WRITES, ...READS, ...TRADING, ...STREAMS, ...OFFERS];
