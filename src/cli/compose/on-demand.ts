/**
 * @module
 * What commands do, each loaded when it is called for: a bot needs no backtests and no exchange, a backtest no streams, no
 * lanes and no keys, and each start would take its time for all of them.
 */

/** Looks a configuration and its gateway over: see `doctor.ts`. */
export const examine: typeof import('../../bot/live/index.ts').examine = async (options) =>
  (await import('../../bot/live/index.ts')).examine(options);

/** A foreign recording to a tape: see `import-recording.ts`. */
export const importRecording: typeof import('./import-recording.ts').importRecording = async (options) =>
  (await import('./import-recording.ts')).importRecording(options);

/** A new key: see `key-commands.ts`. */
export const makeKeyFile: typeof import('../../bot/live/index.ts').makeKeyFile = async (options) =>
  (await import('../../bot/live/index.ts')).makeKeyFile(options);

/** Grants for API wallets: see `key-commands.ts`. */
export const approveWallets: typeof import('../../bot/live/index.ts').approveWallets = async (options) =>
  (await import('../../bot/live/index.ts')).approveWallets(options);

/** A tape of a gateway: see `record-market.ts`. */
export const recordGateway: typeof import('../../bot/live/index.ts').recordGateway = async (options) =>
  (await import('../../bot/live/index.ts')).recordGateway(options);

/** A tape of an exchange of its own: see `record-market.ts`. */
export const recordSim: typeof import('./record-sim.ts').recordSim = async (options) =>
  (await import('./record-sim.ts')).recordSim(options);

/** A live run: see `run.ts`. */
export const runBot: typeof import('../../bot/live/index.ts').runBot = async (options) =>
  (await import('../../bot/live/index.ts')).runBot(options);

/** A run on an exchange of its own: see `sim-run.ts`. */
export const runOnSim: typeof import('./sim-run.ts').runOnSim = async (options) =>
  (await import('./sim-run.ts')).runOnSim(options);

/** A backtest of a configuration: see `backtest.ts`. */
export const runConfiguredBacktest: typeof import('../../research/backtest/index.ts').runConfiguredBacktest =
  async (options) => (await import('../../research/backtest/index.ts')).runConfiguredBacktest(options);

/** A run over bars: see `bars.ts`. */
export const runConfiguredBars: typeof import('../../research/bars/index.ts').runConfiguredBars = async (
  options,
) => (await import('../../research/bars/index.ts')).runConfiguredBars(options);

/** See `bars-sweep.ts`. */
export const sweepBars: typeof import('../../research/sweep/index.ts').sweepBars = async (options) =>
  (await import('../../research/sweep/index.ts')).sweepBars(options);

/** The calibration of a run: see `calibrate.ts`. */
export const calibrateRun: typeof import('../../research/calibration/index.ts').calibrateRun = async (
  options,
) => (await import('../../research/calibration/index.ts')).calibrateRun(options);

/** The harness of the conformance checks: see `conformance-harness.ts`. */
export const startConformanceHarness: typeof import('./conformance-harness.ts').startConformanceHarness =
  async (options) => (await import('./conformance-harness.ts')).startConformanceHarness(options);

/** An exchange in this process: see `exchange-host.ts`. */
export const hostExchange: typeof import('../../exchange/host/index.ts').hostExchange = async (options) =>
  (await import('../../exchange/host/index.ts')).hostExchange(options);

/** An exchange on a port: see `exchange-host.ts`. */
export const serveExchange: typeof import('../../exchange/host/index.ts').serveExchange = async (options) =>
  (await import('../../exchange/host/index.ts')).serveExchange(options);

/** Bot and exchange in this process: see `in-process-run.ts`. */
export const runInProcess: typeof import('./in-process-run.ts').runInProcess = async (options) =>
  (await import('./in-process-run.ts')).runInProcess(options);

/** Paper over a tape: see `paper.ts`. */
export const paperOnTape: typeof import('../../research/paper/index.ts').paperOnTape = async (options) =>
  (await import('../../research/paper/index.ts')).paperOnTape(options);

/** Paper over the streams of a gateway: see `paper-live.ts`. */
export const paperOnGateway: typeof import('../../research/paper/index.ts').paperOnGateway = async (
  options,
) => (await import('../../research/paper/index.ts')).paperOnGateway(options);

/** Paper over an exchange of its own: see `paper-sim.ts`. */
export const paperOnSim: typeof import('./paper-sim.ts').paperOnSim = async (options) =>
  (await import('./paper-sim.ts')).paperOnSim(options);

/** A run again: see `replay.ts`. */
export const replayRun: typeof import('../../bot/replay/index.ts').replayRun = async (options) =>
  (await import('../../bot/replay/index.ts')).replayRun(options);

/** A run again with other strategies: see `replay.ts`. */
export const replayOtherwise: typeof import('../../research/backtest/index.ts').replayOtherwise = async (
  options,
) => (await import('../../research/backtest/index.ts')).replayOtherwise(options);

/** A sweep: see `sweep.ts`. */
export const sweepConfiguration: typeof import('../../research/sweep/index.ts').sweepConfiguration = async (
  options,
) => (await import('../../research/sweep/index.ts')).sweepConfiguration(options);

/** A runner of sweeps at a Redis: see `sweep-queue.ts`. */
export const queueRunner: typeof import('../../research/sweep/index.ts').queueRunner = async (url, setup) =>
  (await import('../../research/sweep/index.ts')).queueRunner(url, setup);

/** A worker of sweeps: see `sweep-queue.ts`. */
export const startSweepWorker: typeof import('../../research/sweep/index.ts').startSweepWorker = async (
  options,
) => (await import('../../research/sweep/index.ts')).startSweepWorker(options);
