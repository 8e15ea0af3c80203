/**
 * @module
 * What a run takes in place of network, disk and event loop when it runs on virtual time: carried requests, a journal
 * in memory, and no locks, since no other process can use these nonce scopes.
 */

import type { Transport } from '../../../wire/gateway/index.ts';
import type { SubscriptionParams } from '../../../wire/protocol/index.ts';
import type { Executor } from '../../execution/index.ts';
import type { Journal, JournalRecord } from '../../journal/index.ts';
import type { Bot, StrategyStore } from '../../kernel/index.ts';
import type { RunLogWriter } from '../../replay/index.ts';
import type { AttestFacts } from '../attest/document.ts';

/** A machine that is simulated. Absent: the real one. */
export interface SimulatedMachine {
  /** A separate line for each connection to the exchange. */
  newTransport(): Transport;
  readonly journal: Journal;
  /** What previous runs have written into the journal; absent: this is the first. */
  readonly earlierRecords?: () => Iterable<JournalRecord>;
  /** What strategies saved, kept over restarts; absent: only for this run. */
  readonly strategyStore?: StrategyStore;
  /** What is subscribed to of the markets; absent: all that a bot wants to know of its markets. */
  readonly subscriptions?: readonly SubscriptionParams[];
  /** How long something may speak against a book before it is stale, ms; absent: the age of market data that risk allows. */
  readonly quoteAgeMsMax?: number;
  /** Keeps the log of the run; absent: none is kept. */
  readonly runLog?: RunLogWriter;
  /** Is given what an attestation of the run needs, when it has ended. */
  readonly onAttestFacts?: (facts: AttestFacts) => void;
  /** Shows the parts of the bot as soon as they exist, before the first fact. */
  readonly onBot?: (bot: Bot, executor: Executor) => void;
}
