/**
 * @module
 * The run's side of its guardian: starts the process, tells it what it needs, beats, and starts another one when it is
 * gone or silent. While there is none the run goes on: the switch guards it, as it does a run without a guardian.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BotError, type Clock, type Log, ownModule, toHex } from '../../core/index.ts';
import { isExternal } from '../../wire/crypto/index.ts';
import { type GuardedRun, type LoadedWallet, planOf, type RunGuard } from '../live/index.ts';
import {
  BEAT_MS,
  type Charge,
  type FromGuardian,
  type FromRun,
  GUARDIAN_SILENT_MS,
  type ToldWallet,
} from './messages.ts';
import { Silence } from './silence.ts';

/** What a guardian is made of. */
export interface GuardianOptions
  extends Omit<
    Charge,
    'processId' | 'structs' | 'signer' | 'selection' | 'wallets' | 'door' | 'alerts' | 'hasLauncher'
  > {
  readonly clock: Clock;
  /** Of the run. */
  readonly runLog: Log;
  /** The descriptor on which the launcher waits for the end of the guardian; `undefined`: there is none. */
  readonly launcherFd: number | undefined;
}

/** It must watch within this time, ms. */
const READY_MS_MAX = 20_000;
/** Before another one is started: the first wait, which doubles, and the longest, ms. */
const AGAIN_MS = { first: 500, max: 30_000 } as const;

/** A guardian for one run. Nothing is started before {@link RunGuard.begin}. */
export function createGuardian(options: GuardianOptions): RunGuard {
  return new GuardianProcess(options);
}

/** A key as the guardian is told of it. */
function toldKey(key: LoadedWallet['key']): ToldWallet['key'] {
  return isExternal(key) ? { address: key.address, plan: planOf(key) } : toHex(key.exposeBytes());
}

class GuardianProcess implements RunGuard {
  readonly #options: GuardianOptions;
  #charge: Charge | undefined;
  #child: ChildProcess | undefined;
  #silence: Silence;
  #isReady = false;
  #isArmed = false;
  #isReleased = false;
  #againMs: number = AGAIN_MS.first;
  #failure = 'nothing was heard of it';
  #onReady: () => void = () => undefined;

  constructor(options: GuardianOptions) {
    this.#options = options;
    this.#silence = new Silence(options.clock, BEAT_MS);
  }

  begin(run: GuardedRun): void {
    const { clock, runLog: _log, launcherFd, ...told } = this.#options;
    const { structs, signer, selection, wallets, door, alerts } = run;
    this.#charge = {
      ...{ ...told, structs, signer, selection, door, alerts },
      wallets: wallets.map(({ key, ...wallet }) => ({ ...wallet, key: toldKey(key) })),
      processId: process.pid,
      hasLauncher: launcherFd !== undefined,
    };
    this.#start();
    clock.every(BEAT_MS, () => this.#beat());
  }

  async ready(): Promise<void> {
    const { clock } = this.#options;
    const timer = clock.after(READY_MS_MAX, () => this.#onReady());
    if (!this.#isReady)
      await new Promise<void>((resolve) => {
        this.#onReady = resolve;
      });
    timer.cancel();
    if (!this.#isReady) throw notReady(this.#failure);
  }

  isWatching(): boolean {
    return this.#isReady;
  }

  arm(): void {
    this.#isArmed = true;
    this.#say({ kind: 'armed' });
  }

  release(): void {
    this.#isReleased = true;
    this.#say({ kind: 'released' });
  }

  #start(): void {
    const { launcherFd, runLog } = this.#options;
    const child = spawn(
      process.execPath,
      [...process.execArgv, fileURLToPath(ownModule('bot/guardian/process'))],
      {
        // A group of its own: what a terminal sends to that of the run is not for it.
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...(launcherFd === undefined ? [] : [launcherFd])],
      },
    );
    this.#child = child;
    this.#silence = new Silence(this.#options.clock, BEAT_MS);
    child.on('message', (message: FromGuardian) => this.#hear(message));
    child.on('error', (error) => {
      this.#failure = error.message;
      this.#lost(child);
    });
    child.on('exit', (code, signal) => {
      runLog.warn('the guardian has ended', { end: signal ?? code });
      this.#lost(child);
    });
    if (this.#charge !== undefined) this.#say({ kind: 'charge', charge: this.#charge });
  }

  #hear(message: FromGuardian): void {
    this.#silence.heard();
    if (message.kind === 'failed') {
      this.#failure = message.why;
      this.#options.runLog.error('the guardian cannot watch', { why: message.why });
      this.#child?.kill('SIGKILL');
    }
    if (message.kind !== 'ready') return;
    this.#isReady = true;
    this.#againMs = AGAIN_MS.first;
    if (this.#isArmed) this.#say({ kind: 'armed' });
    this.#options.runLog.info('the guardian watches', { processId: this.#child?.pid });
    this.#onReady();
  }

  #beat(): void {
    const child = this.#child;
    if (child === undefined) return;
    this.#say({ kind: 'beat' });
    // Until it is ready it compiles and loads, and need not speak.
    if (this.#silence.look() < (this.#isReady ? GUARDIAN_SILENT_MS : READY_MS_MAX)) return;
    this.#options.runLog.error('the guardian is silent: another one is started');
    child.kill('SIGKILL');
    this.#lost(child);
  }

  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#isReady = false;
    if (this.#isReleased) return;
    this.#options.clock.after(this.#againMs, () => {
      if (!this.#isReleased) this.#start();
    });
    this.#againMs = Math.min(AGAIN_MS.max, this.#againMs * 2);
  }

  #say(message: FromRun): void {
    // One that has just ended hears nothing; its end is reported by an event of its own.
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }
}

function notReady(why: string): BotError {
  return new BotError({
    code: 'GUARDIAN_NOT_READY',
    message: `expected the guardian of this run to watch within ${READY_MS_MAX / 1000} s, but ${why}`,
    remedy:
      'See what keeps a second process from reaching the gateway, or set deadMansSwitch.guardian to false: then the switch alone empties the book.',
  });
}
