/**
 * @module
 * A live bot on the embedded exchange, on virtual time, with the account of a test exchange: its grants, its positions
 * and its exchange are in the test's hands, its wire is kept.
 */

import { createInMemoryJournal, type InMemoryJournal } from '../../src/bot/journal/index.ts';
import type { StrategyStore } from '../../src/bot/kernel/index.ts';
import { type LiveBot, startLiveBot } from '../../src/bot/live/live-bot.ts';
import type { StrategyDefinition } from '../../src/bot/strategy/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { type Log, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { BTC, during, environmentOver, TRADER, walletsOf } from './client.ts';
import { Wire } from './wire.ts';

const configOf = (account: string) => `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: a, module: a.ts, markets: [BTC-USD] }]
risk: { capital: 100000 }
account: { ${account} }
`;

/** A bot that runs, with its wire. */
export interface RunningBot extends LiveBot {
  readonly wire: Wire;
  readonly halts: readonly string[];
}

/** How a bot is started. */
export interface BotChoices {
  readonly log?: Log;
  readonly journal?: InMemoryJournal;
  /** Section account of its configuration. */
  readonly account?: string;
  readonly acceptsDifference?: boolean;
  /** What strategies save, and what is halted over a restart; absent: it ends with the bot. */
  readonly store?: StrategyStore;
}

/** Starts strategies by name on the account of `venue`. */
export async function startBot(
  venue: TestExchange,
  strategies: Readonly<Record<string, StrategyDefinition>>,
  {
    log = silentLog,
    journal,
    account = 'orphanPositions: adopt',
    acceptsDifference = false,
    store,
  }: BotChoices = {},
): Promise<RunningBot> {
  const { clock, crypto } = venue;
  const wire = new Wire(venue.exchange, clock);
  const environment = await environmentOver(venue, wire);
  const halts: string[] = [];
  const starting = startLiveBot({
    config: parseConfig(configOf(account), '/etc/ballast/bot.yaml').config,
    environment,
    crypto,
    clock,
    random: seededRandom(9),
    log,
    meter: silentMeter,
    selection: { address: venue.address, subaccount: 0 },
    wallets: walletsOf(venue),
    strategies: Object.entries(strategies).map(([name, definition]) => ({
      ...{ name, definition, file: `/${name}.ts`, sha256: '', symbols: [BTC] },
      ...{ parameters: {}, wallet: TRADER },
    })),
    runId: 'r1',
    instance: 'bot',
    journalFolder: '',
    lockFolder: undefined,
    machine: {
      journal: journal ?? createInMemoryJournal({ commit: { clock, delayMs: 1 } }),
      newTransport: () => wire,
      ...(store === undefined ? {} : { strategyStore: store }),
    },
    approvedAtSeq: new Map(),
    acceptsDifference,
    onHalt: (why) => void halts.push(why),
  });
  return { ...(await during(clock, starting)), wire, halts };
}
