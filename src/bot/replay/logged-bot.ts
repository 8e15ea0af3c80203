/**
 * @module
 * A bot whose run is logged: the same bot, with its clock, its venue, its store and everything that can be asked of it
 * passed through the log.
 */
import { type UnixMs, VERSION } from '../../core/index.ts';
import {
  type Book,
  type Fact,
  factsSinkOf,
  type LaneId,
  type MarketSymbol,
  marketSinkOf,
  type VenuePort,
} from '../../domain/index.ts';
import type { Bot, BotOptions, DecisionTap, StopProof } from '../kernel/index.ts';
import { createBot, inMemoryStrategyStore, type StrategyStore } from '../kernel/index.ts';
import type { RiskGate, RiskView } from '../risk/index.ts';
import type { PreparedStrategy } from '../setup/index.ts';
import { approvedText, denialText, intentText, messageText, safetyText } from './decision-text.ts';
import type { CallName, DecisionKind, Instant } from './entry.ts';
import { LogClock } from './log-clock.ts';
import type { EventLog } from './run-log.ts';
import { RUN_LOG_SCHEMA, type RunLogHeader, type RunLogWriter } from './run-log-file.ts';

/** A bot and what else belongs to its log. */
export interface LoggedBot {
  readonly bot: Bot;
  /** When it was made. */
  readonly madeAt: Instant;
  /** Gives the account the owners of orders of previous runs, and what was held when this ledger began. */
  recallOwners: Bot['account']['recallOwners'];
  /** The gate as others than the kernel must use it. */
  readonly risk: RiskGate;
}

/** Makes a bot as `createBot` does; what reaches it and what it decides goes into `log`. */
function createLoggedBot(options: BotOptions, log: EventLog): LoggedBot {
  const clock = new LogClock(options.clock, log);
  const madeAt = clock.hold();
  const server = serverTimeOf(options, clock, log);
  const prove = options.proveNoOpenOrders;
  const bot = createBot({
    ...options,
    clock,
    venue: loggedVenue(options.venue, log),
    store: loggedStore(options.store ?? inMemoryStrategyStore(), log),
    decisions: tapOf(options.decisions, log),
    serverNowMs: server,
    ...(prove === undefined ? {} : { proveNoOpenOrders: () => loggedProof(prove, clock) }),
  });
  clock.end();
  const call =
    <Args extends readonly unknown[], Result>(name: CallName, work: (...args: Args) => Result) =>
    (...args: Args): Result =>
      clock.turn({ kind: 'call', name, args }, () => work(...args));
  const { risk } = options;
  const sink = sinkOf(bot.sink, clock, log);
  const recall = call('recallOwners', (...args: Parameters<Bot['account']['recallOwners']>) =>
    bot.account.recallOwners(...args),
  );
  return {
    madeAt,
    recallOwners: (orders, ...carried) => recall([...orders], ...carried.filter((one) => one !== undefined)),
    risk: {
      limits: risk.limits,
      waitMs: (lane, strategyId, view) => risk.waitMs(lane, strategyId, view),
      review: (requests, view: RiskView) =>
        clock.turn({ kind: 'review', requests, serverNowMs: view.serverNowMs ?? view.nowMs }, () =>
          risk.review(requests, { ...view, nowMs: clock.nowMs() }),
        ),
    },
    bot: {
      account: bot.account,
      markets: bot.markets,
      sink,
      sinkAll: factsSinkOf(sink),
      marketSink: marketSinkOf(sink),
      status: bot.status,
      health: bot.health,
      start: call('start', bot.start),
      stop: call('stop', bot.stop),
      end: call('end', bot.end),
      setTrading: call('setTrading', bot.setTrading),
      stopStrategy: call('stopStrategy', bot.stopStrategy),
      halt: call('halt', bot.halt),
      flatten: call('flatten', bot.flatten),
      cancelAll: call('cancelAll', bot.cancelAll),
      setParameters: call('setParameters', bot.setParameters),
    },
  };
}

function sinkOf(sink: Bot['sink'], clock: LogClock, log: EventLog): Bot['sink'] {
  const books = new Map<MarketSymbol, Book>();
  return (fact: Fact) => {
    if (fact.type === 'BookUpdated') {
      books.set(fact.book.symbol, fact.book);
      clock.begin({ kind: 'book', book: fact.book, isShown: true });
    } else {
      // Its store may have written half a frame over a book before it found that it cannot be used.
      const book = fact.type === 'MarketStale' ? books.get(fact.symbol) : undefined;
      if (book !== undefined) log.note(undefined, { kind: 'book', book: book, isShown: false });
      clock.begin({ kind: 'fact', fact });
    }
    try {
      sink(fact);
    } finally {
      clock.end();
    }
  };
}

/** The exchange's time does not pass during a turn either. */
function serverTimeOf(options: BotOptions, clock: LogClock, log: EventLog): () => UnixMs {
  const { serverNowMs } = options;
  if (serverNowMs === undefined) return () => clock.nowMs();
  let aheadMs: number | undefined;
  let readAtMs = Number.NaN;
  return () => {
    const monotonicMs = clock.monotonicMs();
    if (monotonicMs !== readAtMs) {
      readAtMs = monotonicMs;
      const nowMs = serverNowMs() - options.clock.nowMs();
      if (nowMs !== aheadMs) log.note(undefined, { kind: 'server', aheadMs: nowMs });
      aheadMs = nowMs;
    }
    return (clock.nowMs() + (aheadMs ?? 0)) as UnixMs;
  };
}

function loggedVenue(venue: VenuePort, log: EventLog): VenuePort {
  const known = new Map<LaneId, boolean>();
  return {
    isReady(lane) {
      const isReady = venue.isReady(lane);
      if (known.get(lane) !== isReady) {
        known.set(lane, isReady);
        log.note(undefined, { kind: 'ready', lane, isReady });
      }
      return isReady;
    },
    expect: () => venue.expect?.(),
    submit: (routed) => venue.submit(routed),
    submitSafety: (command) => venue.submitSafety(command),
  };
}

function loggedStore(store: StrategyStore, log: EventLog): StrategyStore {
  let wasStored = true;
  return {
    load(strategyId) {
      const json = store.load(strategyId);
      log.note(undefined, { kind: 'load', strategyId, json });
      return json;
    },
    save(strategyId, json) {
      const isStored = store.save(strategyId, json);
      if (isStored !== wasStored) log.note(undefined, { kind: 'stored', isStored });
      wasStored = isStored;
      return isStored;
    },
  };
}

async function loggedProof(prove: () => Promise<StopProof>, clock: LogClock): Promise<StopProof> {
  const proof = await prove();
  clock.turn({ kind: 'proved', proof }, () => undefined);
  return proof;
}

function tapOf(also: DecisionTap | undefined, log: EventLog): DecisionTap {
  const note = (what: DecisionKind, text: string): void =>
    log.note(undefined, { kind: 'decision', what, text });
  return {
    intent(strategyId, ids, intent) {
      note('intent', intentText(strategyId, ids.newest, intent));
      also?.intent(strategyId, ids, intent);
    },
    denied(denial) {
      note('denied', denialText(denial));
      also?.denied(denial);
    },
    approved(routed) {
      note('approved', approvedText(routed));
      also?.approved(routed);
    },
    safety(command) {
      note('safety', safetyText(command));
      also?.safety(command);
    },
    message(message) {
      note('message', messageText(message));
      also?.message(message);
    },
  };
}

/** A log to be kept, and what its header says that the bot does not know. */
export interface KeptLog {
  readonly writer: RunLogWriter;
  /** Header fields that the bot supplies. */
  readonly about: Pick<RunLogHeader, 'mode' | 'seed' | 'config' | 'collateralDecimals'>;
  readonly strategies: readonly PreparedStrategy[];
}

/** Makes the bot; `kept` absent: nothing is logged. */
export function makeBot(options: BotOptions, kept: KeptLog | undefined): Omit<LoggedBot, 'madeAt'> {
  if (kept === undefined) {
    const bot = createBot(options);
    return { bot, risk: options.risk, recallOwners: (...args) => bot.account.recallOwners(...args) };
  }
  const made = createLoggedBot(options, kept.writer.log);
  kept.writer.begin({
    schema: RUN_LOG_SCHEMA,
    version: VERSION,
    runId: options.runId,
    ...kept.about,
    strategies: options.strategies.map(({ id, symbols, lane }, at) => ({
      id,
      file: kept.strategies[at]?.file ?? '',
      sha256: kept.strategies[at]?.sha256 ?? '',
      symbols,
      lane,
    })),
    operatorLane: options.operatorLane satisfies LaneId | undefined,
    madeAt: made.madeAt,
    isProving: options.proveNoOpenOrders !== undefined,
  });
  return made;
}
