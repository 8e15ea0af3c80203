/**
 * @module
 * A whole live run as `ballast run --mode live` starts it, against a server of a bench: preflight, streams,
 * reconciliation, dead man's switch, a strategy, risk, lanes, journal.
 */
import { join } from 'node:path';
import { listenForStop, runBot } from '../src/bot/live/index.ts';
import { parseConfig } from '../src/config/index.ts';
import { type Clock, SystemClock, silentLog } from '../src/core/index.ts';
import type { FundedSeedAccount } from '../src/exchange/index.ts';
import { parseSecretKey } from '../src/wire/crypto/index.ts';

/** What a live run of a bench is made of. */
export interface LiveRunOptions {
  readonly origin: string;
  readonly account: FundedSeedAccount;
  /** Of its journal and its lock. */
  readonly folder: string;
  /** The configuration behind the sections that say who trades where: markets, strategies, limits. */
  readonly config: string;
  /** True: the run has a door, whose address is in `folder`. */
  readonly hasDoor?: boolean;
  /** True: frames, rows and the log of the run are kept in `folder`, which needs a door. */
  readonly isRecorded?: boolean;
  /** Absent: that of the machine. */
  readonly clock?: Clock;
}

/** A live run. */
export interface LiveRun {
  /** Resolves when strategies may quote. */
  readonly ready: Promise<void>;
  /** Rejects when the run ends before it is stopped: never resolves. */
  readonly failed: Promise<never>;
  /** Stops it: rejects unless the run proves its end. */
  stop(): Promise<void>;
}

/** Starts one. */
export function startLiveRun(options: LiveRunOptions): LiveRun {
  const { origin, account, folder, config, hasDoor = false, isRecorded = false } = options;
  const { clock = new SystemClock() } = options;
  const stop = listenForStop(clock, { forMs: undefined });
  const ready = Promise.withResolvers<void>();
  const run = runBot({
    mode: 'live',
    market: 'live',
    source: parseConfig(
      `${whoTrades(origin, account.address)}record: { enabled: ${isRecorded} }\n${config}`,
      join(folder, 'bench.yaml'),
    ),
    baseUrl: origin,
    clock,
    log: silentLog,
    seed: 1,
    journalFolder: folder,
    recordFolder: hasDoor || isRecorded ? folder : undefined,
    lockFolder: folder,
    stop,
    said: { production: false, acceptsDifference: false },
    beganAtMs: clock.monotonicMs(),
    signers: async (_environment, crypto) => ({
      selection: { address: account.address, subaccount: 0 },
      wallets: account.apiWallets.map(({ privateKey }, at) => ({
        name: at === 0 ? 'trading' : 'safety',
        role: at === 0 ? ('trading' as const) : ('safety' as const),
        key: parseSecretKey(crypto, privateKey),
      })),
      approvedAtSeq: new Map(),
    }),
    show: () => {
      ready.resolve();
      return () => undefined;
    },
  });
  const failed = run.then(({ stopReason }) =>
    Promise.reject(new Error(`the bot stopped on its own: ${stopReason}`)),
  );
  // Who waits for it hears of it; a run that is stopped ends too.
  failed.catch(() => undefined);
  return {
    ready: ready.promise,
    failed,
    async stop() {
      stop.request({ by: 'time' });
      const { openOrders, unresolved, reconciled, differences } = await run;
      stop.dispose();
      if (openOrders !== 0 || unresolved !== 0 || !reconciled)
        throw new Error(`expected the run to prove its end, got ${differences.join('; ')}`);
    },
  };
}

function whoTrades(baseUrl: string, address: string): string {
  return `
environment: { name: bench, baseUrl: '${baseUrl}' }
account: { address: '${address}' }
wallets:
  - { name: trading, role: trading, keyFile: unused.key }
  - { name: safety, role: safety, keyFile: unused-too.key }
`;
}
