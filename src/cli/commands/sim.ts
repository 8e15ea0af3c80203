/**
 * @module
 * `ballast sim`: the embedded exchange alone, for any client. Its first line says where it is and which accounts have
 * money; it runs until it is told to stop.
 */
import { listenForStop } from '../../bot/live/index.ts';
import { BotError, SystemClock } from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import type { ServedExchange } from '../../exchange/host/index.ts';
import { serveExchange } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';

/** What `sim` takes. */
export interface SimOptions {
  readonly port: number;
  /** Absent: that of the scenario, or 7. */
  readonly seed: number | undefined;
  /** File of a scenario. */
  readonly scenario: string | undefined;
  readonly isJson: boolean;
  readonly tape: string | undefined;
  readonly symbol: string | undefined;
  readonly marketName: string | undefined;
  readonly accounts: number;
  /** Such as `A4=full`: see docs/reference/quirks.md. */
  readonly quirks: readonly string[];
  readonly isQuiet: boolean;
  /** `manual`: time stands still until the control moves it. */
  readonly clockMode: 'system' | 'manual';
  /** How far each replica is behind, in ms; none: all reads see the newest state. */
  readonly replicas: readonly number[];
  /** File of a snapshot to go on from. */
  readonly snapshotIn: string | undefined;
  /** File that a snapshot is written to. */
  readonly snapshotOut: string | undefined;
  /** Is `/control` served? */
  readonly hasControl: boolean;
  readonly forMs: number | undefined;
  /** End when standard input closes. */
  readonly isWithParent: boolean;
}

/** Runs the exchange until a signal, the time limit, or the end of its parent. */
export async function sim(options: SimOptions): Promise<number> {
  const clock = new SystemClock();
  const stop = listenForStop(clock, { forMs: options.forMs, isDeafToSignals: options.isWithParent });
  if (options.isWithParent) {
    process.stdin.on('end', () => stop.request({ by: 'halt', why: 'the parent process ended' }));
    process.stdin.resume();
  }
  const { log } = createLog({ level: 'warn', isPretty: process.stderr.isTTY });
  const settings = options.replicas.length === 0 ? {} : { replicas: options.replicas };
  // A child of a bot may live for days; nobody asks it for snapshots.
  const isRecorded = !options.isWithParent;
  const served = await serveExchange({ ...options, settings, isRecorded, clock, log }).catch(
    (cause: unknown) => {
      throw isPortTaken(cause) ? portTaken(options.port, cause) : cause;
    },
  );
  const { baseUrl, wsUrl } = served.server;
  if (options.isJson)
    writeDocument({
      schema: 1,
      baseUrl,
      wsUrl,
      ...(options.hasControl ? { controlUrl: controlUrlOf(baseUrl) } : {}),
      seed: served.seed,
      accounts: served.accounts.map(accountJson),
    });
  else {
    writeLine(`exchange   ${baseUrl}\nstream     ${wsUrl}`);
    if (options.hasControl) writeLine(`control    ${controlUrlOf(baseUrl)}`);
    for (const line of served.about) writeLine(`market     ${line}`);
    for (const { name, address, privateKey } of served.accounts)
      writeLine(`account    ${address}  key ${privateKey}  ${name}`);
    writeLine('These keys are ephemeral keys of this exchange. Stop with Ctrl-C.');
  }
  const reason = await stop.requested;
  await served.stop();
  const recording = served.recording();
  if (recording !== undefined && options.isJson) writeDocument({ recording });
  return reason.by === 'signal' && reason.signal === 'SIGINT'
    ? EXIT.sigint
    : reason.by === 'signal'
      ? EXIT.sigterm
      : EXIT.ok;
}

/** Keys of API wallets only where there are some. */
function accountJson({ name, address, privateKey, apiWallets }: ServedExchange['accounts'][number]): object {
  return { name, address, privateKey, ...(apiWallets.length === 0 ? {} : { apiWallets }) };
}

/** The control is at the root of the origin, whatever precedes `/v1`. */
function controlUrlOf(baseUrl: string): string {
  return new URL('/control', baseUrl).href;
}

function isPortTaken(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

function portTaken(port: number, cause: unknown): BotError {
  return new BotError({
    code: 'CONFIG_PORT_TAKEN',
    message: `expected port ${port} of 127.0.0.1 to be free, was taken`,
    remedy: 'Take another with --port, or --port 0 for a free one.',
    cause,
  });
}
