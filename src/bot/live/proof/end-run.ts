/**
 * @module
 * The end of a run: the bot stops, then the exchange is read, over a connection of its own, until both agree or the time
 * is over.
 */
import type { Config } from '../../../config/index.ts';
import {
  BotError,
  type Clock,
  GatewayError,
  type Log,
  ProtocolError,
  TransportError,
  untilDeadline,
} from '../../../core/index.ts';
import type { AccountSelection, MarketSymbol, Ticks } from '../../../domain/index.ts';
import type { OpenOrdersProof } from '../../execution/index.ts';
import type { Environment } from '../connect/environment.ts';
import type { RunGuard } from '../guard.ts';
import type { LiveBot } from '../live-bot.ts';
import { describeStop, type StopReason } from '../stop-signal.ts';
import { readAccountSnapshot } from './account-snapshot.ts';
import { closeBeforeStop } from './close-positions.ts';
import { exchangeMarks } from './exchange-marks.ts';
import { type Baseline, prove, type RunVerification } from './proof.ts';
import { heldText, type RunReport } from './run-report.ts';

/** How long, ms, bot and exchange may take to agree with the exchange after the stop, and how long they may be unreadable. */
const SETTLE_MS_MAX = 5_000;
const UNREADABLE_MS_MAX = 15_000;
/** The first wait before the account is read again; it doubles up to the rate that a resource is read at (obligation O118). */
const SETTLE_POLL_MS = 100;
const SETTLE_POLL_MS_MAX = 1_000;

/** What the end works with. */
export interface RunEnding {
  readonly live: LiveBot;
  readonly reader: Environment;
  readonly selection: AccountSelection;
  readonly baseline: Baseline;
  /** Whatever no strategy owns is accepted, by the configuration. */
  readonly isAdopting: boolean;
  readonly clock: Clock;
  /** What it does with open positions. */
  readonly stop: Config['stop'];
  readonly reason: StopReason;
  readonly log: Log;
  /** Takes the view of the run down, while there is still something to see. */
  readonly takeDown: () => void;
  readonly guard: RunGuard | undefined;
}

/** How a run ended. */
export interface Ended {
  readonly proof: RunVerification;
  /** At what the exchange valued the positions of the proof. */
  readonly marks: ReadonlyMap<MarketSymbol, Ticks>;
  readonly openOrdersProof: OpenOrdersProof;
  readonly unresolved: number;
  /** What was halted when the end began: the end itself halts all that is left. */
  readonly halts: NonNullable<RunReport['halts']>;
}

/** Stops the bot, then reads the exchange until both agree or the time is over; the last reading counts. */
export async function endRun({
  live,
  reader,
  selection,
  baseline,
  isAdopting,
  clock,
  stop,
  reason,
  log,
  takeDown,
  guard,
}: RunEnding): Promise<Ended> {
  log.info('stopping', { by: reason.by });
  const { halts } = live.bot.status();
  await closeBeforeStop({ live, stop, reason, clock, log });
  const openOrdersProof = await live.stop(describeStop(reason));
  // Otherwise it takes over when this process has ended: two of one nonce scope would stand in each other's way.
  if (openOrdersProof.isProven) guard?.release();
  else log.error('it could not be proven that no order is open', { why: openOrdersProof.why });
  try {
    const { proof, marks } = await proveUntilSettled(
      { live, reader, selection, baseline, isAdopting },
      openOrdersProof,
      clock,
    );
    const held = heldText(proof);
    if (held !== undefined) log.warn('the run ends with a position: nobody manages it now', { held });
    for (const difference of proof.differences) log.error('bot and exchange disagree', { difference });
    return { proof, marks, openOrdersProof, unresolved: live.lanes.executor.unresolved(), halts };
  } finally {
    takeDown();
    await live.close();
  }
}

type Proving = Pick<RunEnding, 'live' | 'reader' | 'selection' | 'baseline' | 'isAdopting'>;
type Proven = Pick<Ended, 'proof' | 'marks'>;

/** Reads until bot and exchange agree or the time is over. @throws BotError `VERIFICATION_UNREADABLE` when nothing could be read. */
async function proveUntilSettled(
  parts: Proving,
  openOrdersProof: OpenOrdersProof,
  clock: Clock,
): Promise<Proven> {
  const beganAtMs = clock.monotonicMs();
  // After an end that is not proven anyway there is less to wait for.
  const unreadableMsMax = openOrdersProof.isProven ? UNREADABLE_MS_MAX : SETTLE_MS_MAX;
  const minSeq = openOrdersProof.isProven ? openOrdersProof.seq : undefined;
  for (let waitMs = SETTLE_POLL_MS; ; waitMs = Math.min(2 * waitMs, SETTLE_POLL_MS_MAX)) {
    let why = 'no answer in time';
    try {
      const proven = await untilDeadline(clock, beganAtMs + unreadableMsMax, proveOnce(parts, minSeq));
      const isOver = clock.monotonicMs() - beganAtMs >= SETTLE_MS_MAX;
      if (proven !== undefined && (proven.proof.reconciled || isOver)) return proven;
    } catch (error) {
      if (!isUnread(error)) throw error;
      why = error.message;
    }
    if (clock.monotonicMs() - beganAtMs >= unreadableMsMax) throw unreadable(why, openOrdersProof);
    await new Promise<void>((resolve) => {
      clock.after(waitMs, resolve);
    });
  }
}

/** True if the connection to the exchange failed, or what came over it. */
function isUnread(error: unknown): error is BotError {
  return error instanceof GatewayError || error instanceof TransportError || error instanceof ProtocolError;
}

function unreadable(why: string, openOrdersProof: OpenOrdersProof): BotError {
  const orders = openOrdersProof.isProven
    ? 'no order is open'
    : `it is not proven that no order is open: ${openOrdersProof.why}`;
  return new BotError({
    code: 'VERIFICATION_UNREADABLE',
    message: `expected the exchange's account to be readable after the stop, got ${why}; ${orders}`,
    remedy: 'Look at orders and positions at the exchange; what the bot knew is in its journal.',
  });
}

async function proveOnce(
  { live, reader, selection, baseline, isAdopting }: Proving,
  minSeq: bigint | undefined,
): Promise<Proven> {
  const snapshot = await readAccountSnapshot(reader, selection, minSeq);
  const { fills, ledger } = live.lanes.journal.effects();
  const accepted = live.lanes.journal.accepted();
  const { account } = live.bot;
  const openOrders = live.symbols.reduce((sum, symbol) => sum + account.workingOrders(symbol).length, 0);
  const proof = prove({
    snapshot,
    baseline,
    books: {
      ...{ fills, ledger, openOrders },
      positionLots: (symbol) => account.positionLots(symbol),
      ...(isAdopting
        ? {}
        : {
            unexplainedLots: (symbol: MarketSymbol) =>
              account.unownedLots(symbol) - (accepted.get(symbol) ?? 0),
          }),
    },
    markets: reader.markets,
    symbols: live.symbols,
    collateralDecimals: reader.info.collateralDecimals,
  });
  return { proof, marks: exchangeMarks(snapshot, reader.markets) };
}
