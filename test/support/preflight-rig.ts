/**
 * @module
 * One bot on an exchange of this process: asked by the doctor whether it may run, and started by the run. Each has an account,
 * keys and a folder of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Said } from '../../src/bot/live/checks/examination.ts';
import { type Host, thisHost } from '../../src/bot/live/checks/host.ts';
import { type DoctorRow, examine, loadWallets, runBot, selectionOf } from '../../src/bot/live/index.ts';
import { stopAfter } from '../../src/bot/live/stop-signal.ts';
import { type ConfigSource, loadConfig } from '../../src/config/index.ts';
import { BotError, type Clock, type Log, must, SystemClock, silentLog } from '../../src/core/index.ts';
import type { ServedExchange } from '../../src/exchange/host/index.ts';
import { ladder } from './live-rig.ts';

/** What differs from a bot with nothing in its way. */
export interface Changes {
  /** Sections of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What is otherwise about this machine. */
  readonly host?: Partial<Host>;
  /** What was said on the command line. */
  readonly said?: Partial<Said>;
  /** In place of the machine's clock. */
  readonly clock?: Clock;
}

/** Why a run did not start: the error, its check and its words. */
export interface Refusal {
  readonly error: BotError;
  readonly check: unknown;
  /** As the doctor shows them. */
  readonly words: string;
}

/** See the module. */
export class PreflightBot {
  readonly folder = mkdtempSync(join(tmpdir(), 'ballast-preflight-'));
  readonly served: ServedExchange;
  readonly account: ReturnType<ServedExchange['exchange']['control']['account']>;
  /** Warnings of the log of runs. */
  readonly warned: string[] = [];
  readonly #log: Log = { ...silentLog, warn: (message) => void this.warned.push(message) };

  constructor(served: ServedExchange) {
    this.served = served;
    this.account = served.exchange.control.account({ balance: '1000000', apiWallets: 2, validUntilMs: 0 });
    for (const [at, name] of ['maker', 'guard'].entries())
      this.write(`${name}.key`, must(this.account.apiWallets[at], 'an API wallet').privateKey);
  }

  /** A file in its folder that nobody else may read. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** All rows of the doctor. */
  async examine(changes: Changes = {}): Promise<readonly DoctorRow[]> {
    return await examine({ ...this.#parts(changes), onRow: () => undefined });
  }

  /** Starts it; `undefined`: it ran, and was stopped in order. */
  async run(changes: Changes = {}): Promise<Refusal | undefined> {
    const parts = this.#parts(changes);
    const { source, clock } = parts;
    const { config } = source;
    const stop = stopAfter(clock, undefined);
    try {
      await runBot({
        ...parts,
        ...{ mode: 'live', market: 'live', seed: 1, stop, beganAtMs: clock.monotonicMs() },
        baseUrl: must(config.environment.baseUrl, 'a base URL'),
        journalFolder: config.journal.folder,
        recordFolder: config.record.folder,
        acceptsDifference: parts.said.acceptsDifference,
        signers: async (_environment, crypto) => ({
          selection: must(selectionOf(config), 'an account'),
          wallets: await loadWallets(config, crypto, parts),
          approvedAtSeq: new Map(),
        }),
        show: () => {
          stop.request({ by: 'time' });
          return () => undefined;
        },
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof BotError)) throw error;
      return { error, check: error.details['check'], words: `${error.code}: ${error.message}` };
    } finally {
      stop.dispose();
    }
  }

  #parts({ config = {}, host = {}, said = {}, clock = new SystemClock() }: Changes) {
    return {
      source: this.#source(config),
      ...{ clock, log: this.#log, lockFolder: join(this.folder, 'state') },
      host: { ...thisHost, ...host },
      said: { production: false, acceptsDifference: false, ...said },
    };
  }

  #source(changes: Readonly<Record<string, unknown>>): ConfigSource {
    const usual = {
      environment: { name: 'test', baseUrl: this.served.server.baseUrl },
      account: { address: this.account.address },
      wallets: [
        { name: 'maker', keyFile: 'maker.key' },
        { name: 'guard', role: 'safety', keyFile: 'guard.key' },
      ],
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [ladder('ladder')],
      risk: { capital: 10000, minSwitchTimeLeft: '1s' },
      deadMansSwitch: { heartbeat: '1s', timeout: '10s', guardian: false },
      journal: { folder: 'journal', minFreeDiskMb: 1 },
      record: { enabled: false },
    };
    return loadConfig(this.write('bot.yaml', JSON.stringify({ ...usual, ...changes })));
  }
}
