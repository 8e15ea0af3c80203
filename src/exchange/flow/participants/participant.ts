/** @module What the synthetic flow asks of each of its participants. */
import type { Quantums } from '../../../domain/index.ts';
import type { FlowHost } from '../flow-port.ts';
import type { IndexPriceProcess } from '../index-price-process.ts';

/** One background trader in one market. It acts at block boundaries only. */
export interface Participant {
  /** Called at each block boundary after the index price has moved. */
  onBlock(nowMs: number): void;
}

/** Where a participant trades and what it starts with. */
export interface ParticipantContext {
  /** The exchange, as participants use it. */
  readonly host: FlowHost;
  /** Signing id of the market. */
  readonly market: number;
  /** Index price of the market. */
  readonly index: IndexPriceProcess;
  /** Names its random numbers; unique in the exchange. */
  readonly name: string;
  /** Cash of its account in quantums. */
  readonly cash: Quantums;
}
