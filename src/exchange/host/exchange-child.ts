/**
 * @module
 * The embedded exchange as its own process, child of a demo or of a run in mode sim. It ends when its standard
 * input closes, so it never outlives its parent, whatever ended that.
 *
 *   parent ── spawn `ballast sim --json --with-parent` ──▶ first line: base URL, accounts
 *      └── closes stdin (or dies) ──────────────────────▶ child ends on its own
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BotError, type Clock, isRecord, parseJson, type Timer } from '../../core/index.ts';

/** What the exchange is started with. */
export interface ExchangeChildOptions {
  /** Random seed, an integer. */
  readonly seed: number;
  /** Folder of a tape. */
  readonly tape: string | undefined;
  /** Symbol on the tape; `undefined`: that of `marketName`, else the first with levels. */
  readonly symbol: string | undefined;
  /** Name of the recorded market at the exchange. */
  readonly marketName: string | undefined;
  /** Clock of the exchange. */
  readonly clock: Clock;
  /** Called when the exchange ends without a stop. */
  readonly onExit: (why: string) => void;
}

/** An account the exchange made: ephemeral keys. */
export interface FundedAccount {
  /** Wallet address, 0x and 40 hexadecimal digits. */
  readonly address: string;
  /** Private key, 0x and 64 hexadecimal digits. */
  readonly privateKey: string;
}

/** A running exchange. */
export interface ExchangeChild {
  /** Process id of the child. */
  readonly processId: number;
  /** URL of the HTTP interface. */
  readonly baseUrl: string;
  /** URL of the stream. */
  readonly wsUrl: string;
  /** Funded accounts with their keys. */
  readonly accounts: readonly FundedAccount[];
  /** Ends it and waits until it is gone. The counters of a recorded market are its last line. */
  stop(): Promise<Readonly<Record<string, number>> | undefined>;
}

/** The exchange must speak within this time. */
const START_MS_MAX = 15_000;
/** EX_DATAERR of sysexits: how `ballast sim` ends when it cannot take a recording for one. */
const BAD_DATA_EXIT = 65;
/** After its input closed it has this long before it is killed. */
const STOP_MS_MAX = 5_000;

/**
 * Starts the exchange. @throws BotError `SIM_NOT_STARTED` when it does not say its first line, `SIM_TAPE_REFUSED` when it
 * ended because of what was recorded: it has said why on standard error, and another start ends the same way.
 */
export async function startExchangeChild(options: ExchangeChildOptions): Promise<ExchangeChild> {
  const child = spawn(process.execPath, [...process.execArgv, ...commandOf(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`exit ${code ?? signal}`));
  });
  const first = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (lines.length === 1) resolve(line);
      if (lines.length > 100) lines.splice(1, 1);
    });
  });
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = options.clock.after(START_MS_MAX, () => resolve(undefined));
  });
  const line = await Promise.race([first, exited.then((why) => new Error(why)), late]);
  timer?.cancel();
  if (typeof line !== 'string') {
    child.kill('SIGKILL');
    if (child.exitCode === BAD_DATA_EXIT && options.tape !== undefined) throw tapeRefused(options.tape);
    throw notStarted(line?.message ?? `nothing within ${START_MS_MAX} ms`);
  }
  let isStopping = false;
  void exited.then((why) => {
    if (!isStopping) options.onExit(why);
  });
  return {
    ...readFirstLine(line),
    processId: child.pid ?? -1,
    async stop() {
      isStopping = true;
      await end(child, exited, options.clock);
      return countersOf(lines.at(-1));
    },
  };
}

function commandOf({ seed, tape, symbol, marketName }: ExchangeChildOptions): string[] {
  const entry = process.argv[1] ?? '';
  const market = [
    ...(tape === undefined ? [] : ['--tape', tape]),
    ...(symbol === undefined ? [] : ['--symbol', symbol]),
    ...(tape === undefined || marketName === undefined ? [] : ['--market-name', marketName]),
  ];
  return [entry, 'sim', '--json', '--with-parent', '--port', '0', '--seed', String(seed), ...market];
}

function readFirstLine(line: string): Pick<ExchangeChild, 'baseUrl' | 'wsUrl' | 'accounts'> {
  const value = parseJson(line);
  if (
    !isRecord(value) ||
    typeof value['baseUrl'] !== 'string' ||
    typeof value['wsUrl'] !== 'string' ||
    !Array.isArray(value['accounts'])
  ) {
    throw notStarted(`"${line.slice(0, 120)}"`);
  }
  return { baseUrl: value['baseUrl'], wsUrl: value['wsUrl'], accounts: value['accounts'] as FundedAccount[] };
}

/** The counters of the last line, when it has some. */
function countersOf(line: string | undefined): Readonly<Record<string, number>> | undefined {
  if (line === undefined || !line.startsWith('{"recording"')) return undefined;
  const value = parseJson(line);
  return isRecord(value) && isRecord(value['recording'])
    ? (value['recording'] as Record<string, number>)
    : undefined;
}

async function end(child: ChildProcess, exited: Promise<string>, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.end();
  const timer = clock.after(STOP_MS_MAX, () => child.kill('SIGKILL'));
  await exited;
  timer.cancel();
}

function notStarted(found: string): BotError {
  return new BotError({
    code: 'SIM_NOT_STARTED',
    message: `expected the embedded exchange to print its addresses, got ${found}`,
    remedy: 'Run `ballast sim` separately to see what is wrong.',
  });
}

function tapeRefused(tape: string): BotError {
  return new BotError({
    code: 'SIM_TAPE_REFUSED',
    message: `expected a tape that the embedded exchange can play, got ${tape}`,
    remedy: 'The line above says what is wrong with it.',
  });
}
