/**
 * @module
 * The process of a guardian, child of a live run and in a group of its own. It connects and reads while the run lives, so
 * that nothing but a few requests is left to do when the run dies. It decides nothing: see the watchman. Signals are the
 * run's; it ends when the run has ended in order, or when it has emptied the book.
 */
import { writeSync } from 'node:fs';
import {
  freshSeed,
  type Log,
  messageOf,
  SystemClock,
  secrets,
  seededRandom,
  silentLog,
  silentMeter,
} from '../../core/index.ts';
import { createLog } from '../../core/telemetry/index.ts';
import { loadCrypto, parseSecretKey, SECP256K1_NAMES } from '../../wire/crypto/index.ts';
import { postByNetwork, sendOnce } from '../alerts/index.ts';
import { checkAccount, newExternalKey, openEnvironment } from '../live/index.ts';
import {
  type GuardedDoor,
  type GuardianDoor,
  type GuardianEnd,
  openGuardianDoor,
} from '../operator/index.ts';
import { type EmptyingOptions, emptyBook } from './empty-book.ts';
import { type Charge, type FromGuardian, type FromRun, LAUNCHER_PLACE } from './messages.ts';
import { Watchman } from './watchman.ts';

const clock = new SystemClock();
/** Between two words that it watches. */
const WATCHING_MS = 1_000;

let charge: Charge | undefined;
let prepared: Promise<EmptyingOptions> | undefined;
let door: GuardianDoor | undefined;
/** Waits for how it ended, where a person has asked. */
const asked: ((end: GuardianEnd) => void)[] = [];
/** Alerts may take so long, ms. */
const ALERT_MS_MAX = 3_000;
/** An answer is out of this process within this time, ms. */
const ANSWER_MS = 250;

const watchman = new Watchman({
  clock,
  kill: () => endRun(),
  leave: () => {
    door?.close();
    process.exit(0);
  },
  takeOver: (why) => void takeOver(why),
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)
  process.on(signal, () => undefined);
process.on('disconnect', () => watchman.gone());
process.on('message', (message: FromRun) => {
  watchman.beat();
  if (message.kind === 'charge') take(message.charge);
  else if (message.kind === 'armed') watchman.arm();
  else if (message.kind === 'released') watchman.release();
});
clock.every(WATCHING_MS, () => say({ kind: 'watching' }));

function say(message: FromGuardian): void {
  // A run that is gone hears nothing.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function take(taken: Charge): void {
  charge = taken;
  prepared = prepare(taken);
  prepared.then(
    () => say({ kind: 'ready' }),
    (error: unknown) => say({ kind: 'failed', why: messageOf(error) }),
  );
}

async function prepare(taken: Charge): Promise<EmptyingOptions> {
  const { baseUrl, headerPrefix, route, structs, selection, signer } = taken;
  const log = createLog({
    level: taken.log.level,
    file: taken.log.file,
    maxBytes: taken.log.maxSizeMb,
    isFollower: true,
    isPretty: process.stderr.isTTY === true,
  });
  const secp256k1 = SECP256K1_NAMES.find((name) => name === signer) ?? 'auto';
  const crypto = await loadCrypto({ secp256k1 });
  const wallets = taken.wallets.map(({ key, ...wallet }) => {
    if (typeof key !== 'string')
      return { ...wallet, key: newExternalKey(key.plan, key.address, { clock, log }) };
    secrets.add(key);
    return { ...wallet, key: parseSecretKey(crypto, key) };
  });
  const environment = await openEnvironment({
    ...{ baseUrl, headerPrefix, route, clock, log, crypto },
    ...(structs === undefined ? {} : { structs }),
    random: seededRandom(freshSeed()),
    meter: silentMeter,
  });
  const signingAccountId = await checkAccount(environment, selection);
  if (taken.door !== undefined) await openItsDoor(taken.door, log);
  return { charge: taken, wallets, environment, crypto, signingAccountId, clock, log };
}

/** Where a person reaches the guardian. Without it the guardian does what it does all the same. */
async function openItsDoor(at: GuardedDoor, log: Log): Promise<void> {
  try {
    door = await openGuardianDoor({
      ...{ ...at, log },
      cancelAll: ({ actor, reason }) =>
        watchman.ask(`${actor} asked for it: ${reason}`)
          ? new Promise((resolve) => {
              asked.push(resolve);
            })
          : undefined,
    });
  } catch (thrown) {
    log.error('the guardian has no door', { error: messageOf(thrown) });
  }
}

/** Only its own run: a number may be that of another process once the run is gone. */
function endRun(): void {
  if (charge !== undefined && process.ppid === charge.processId) process.kill(charge.processId, 'SIGKILL');
}

async function takeOver(why: string): Promise<void> {
  let end: GuardianEnd;
  let log: Log | undefined;
  try {
    if (prepared === undefined) return;
    const options = await prepared;
    log = options.log;
    log.error('the run has not ended itself: its guardian cancels its orders', { why });
    const proof = await emptyBook(options);
    end = proof.isProven
      ? { isProven: true, text: 'no order is open, proven' }
      : { isProven: false, text: `it is not proven that no order is open: ${proof.why}` };
  } catch (error) {
    end = { isProven: false, text: `it is not proven that no order is open: ${messageOf(error)}` };
  }
  if (end.isProven) log?.warn('the guardian has emptied the book', { end: end.text });
  else log?.error('the guardian could not empty the book: the switch does', { end: end.text });
  const text = `${why}; its guardian took over: ${end.text}`;
  tellLauncher(text);
  for (const answer of asked) answer(end);
  await alert(text);
  clock.after(asked.length === 0 ? 0 : ANSWER_MS, () => {
    closeDoor({ ...end, text, atMs: clock.nowMs() }, log);
    process.exit(0);
  });
}

/** Tells people, where some are to be told. The book is empty by now, so that nothing waits for it. */
async function alert(text: string): Promise<void> {
  const { alerts } = charge ?? {};
  if (alerts === undefined) return;
  for (const { url, token } of alerts.channels) for (const secret of [url, token ?? '']) secrets.add(secret);
  const log = (await prepared?.catch(() => undefined))?.log;
  const event = { kind: 'run-died', about: 'run', text } as const;
  await sendOnce(alerts, event, { clock, log: log ?? silentLog, post: postByNetwork }, ALERT_MS_MAX);
}

function closeDoor(end: GuardianEnd & { readonly atMs: number }, log: Log | undefined): void {
  try {
    door?.close(end);
  } catch (thrown) {
    log?.error('the end of the run could not be listed', { error: messageOf(thrown) });
  }
}

/** The launcher hears it as a line, and that it ends as the end of the file. */
function tellLauncher(text: string): void {
  if (charge?.hasLauncher !== true) return;
  try {
    writeSync(LAUNCHER_PLACE, `${text}\n`);
  } catch {
    // Nobody waits for it any more.
  }
}
