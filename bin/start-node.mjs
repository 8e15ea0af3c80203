// Node 24 as a second process, for what loads code of a user or trades: forwards signals, passes the exit code on, ends a
// plugin that hangs, and hears how the guardian of a live run went.
// Plain JavaScript on purpose: it must run on the old Node that finds it.
import { spawn } from 'node:child_process';
import {
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeSync,
} from 'node:fs';
import { whenNpmEnds } from './npm.mjs';

/** The process did not end itself: killed, out of memory, or `process.exit` in code that is not ours. */
const DIED = 80;
/** So long the guardian is waited for: a supervisor that starts the next run at once would meet it. */
const GUARDIAN_MS_MAX = 60_000;
/** Asked to end before it could answer: what ended it is what was asked. */
const ASKED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Starts `node` with `args`, and ends this process as that one ends. */
export function startNode(node, args, env) {
  // `--key-fd N` names a file that the shell opened: it is handed on under the same number.
  const keyFd = Number(/(?:^| )--key-fd[ =]([0-9]{1,4})(?: |$)/.exec(process.argv.join(' '))?.[1] ?? 0);
  const stdio = ['inherit', 'inherit', 'inherit'];
  if (keyFd > 2) {
    while (stdio.length < keyFd) stdio.push('ignore');
    stdio.push(openedByShell(keyFd));
  }
  // That the channel closes tells the child that this process is gone, whatever ended it. The child reports on it which
  // plugin is loading.
  stdio.push('ipc');
  // Its end is that of the last process that was given it: the guardian of a live run outlives the run, and tells how it went.
  stdio.push('pipe');
  const child = spawn(node, args, { stdio, env: { ...env, BALLAST_LAUNCHER_FD: String(stdio.length - 1) } });

  // The child decides how it ends; this process only waits, so a signal never leaves the bot an orphan.
  process.on('SIGUSR1', () => undefined); // Otherwise Node would open its debugger.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'])
    process.on(signal, () => child.kill(signal));

  whenNpmEnds(() => child.kill('SIGTERM'));

  /** Ends a child whose plugin never lets go of its thread: it cannot do so itself. 78: the configuration does not hold. */
  let isStuck = false;
  let watchdog;
  /** The child has begun its work, and has said by which code it ends. */
  let hasBegun = false;
  let ended;
  child.on('message', (message) => {
    hasBegun ||= message?.begun === true;
    ended = message?.ended ?? ended;
    if (message?.loading === undefined) return;
    clearTimeout(watchdog);
    const loading = message?.loading;
    if (!loading) return;
    watchdog = setTimeout(() => {
      process.stderr.write(printable(String(loading.text)));
      isStuck = true;
      child.kill('SIGKILL');
    }, loading.withinMs);
  });
  child.on('error', (error) => {
    process.stderr.write(`ballast could not start Node: ${error.message}\n`);
    process.exit(70);
  });
  /** What the guardian said: lines. */
  let told = '';
  const guardian = child.stdio[stdio.length - 1];
  guardian
    ?.setEncoding('utf8')
    .on('data', (text) => {
      told += text;
    })
    .on('error', () => undefined);
  // 'close' would wait for standard output, which nobody may read; 'disconnect' comes after all that the child has said.
  child.on('exit', (code, signal) => {
    if (isStuck) process.exit(78);
    const finish = () => end(code, signal);
    if (!child.connected) return finish();
    child.once('disconnect', finish);
    setTimeout(finish, 1_000);
  });

  let isOver = false;
  function end(code, signal) {
    if (isOver) return;
    isOver = true;
    const isOwn = signal === null ? !hasBegun || code === ended : ASKED.includes(signal);
    waitForGuardian(() => {
      if (!isOwn)
        say(`ballast: the process ended by ${signal ?? `exit code ${code}, which is not its own`}\n`);
      if (told !== '') say(`ballast: ${printable(told.trim())}\n`);
      if (!isOwn) process.exit(DIED);
      if (signal === null) process.exit(code ?? 70);
      // A process that ends by a signal says by which.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }

  function waitForGuardian(then) {
    if (guardian === null || guardian === undefined || guardian.readableEnded) return then();
    guardian.once('end', then);
    setTimeout(then, GUARDIAN_MS_MAX);
  }
}

/** A plugin can send on the channel too: what steers a terminal is written as `\uXXXX` (src/core/printable.ts). */
function printable(text) {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Says it, or lets it be: a terminal that is stopped would hold this process for good. */
function say(text) {
  try {
    writeSync(
      openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK),
      text,
    );
  } catch (error) {
    if (error.code !== 'EAGAIN') process.stderr.write(text);
  }
}

/**
 * The file `fd` that the shell opened, here or in what started this process: npm and npx keep it and hand on the first
 * three only. Nothing where no process has it: under that number may be a file of Node's own.
 */
function openedByShell(fd) {
  try {
    for (let processId = `${process.pid}`, up = 0; up < 8; up++) {
      const [, name, parent] = /\((.*)\) \S ([0-9]+)/s.exec(readFileSync(`/proc/${processId}/stat`, 'utf8'));
      if (!/^(?:node|npm|npx|MainThread|(?:ba|da|k|z|)sh)/.test(name)) break;
      if (up === 0 && isGivenSocket(fd)) return fd;
      if (isOpened(processId, fd)) return up === 0 ? fd : openSync(`/proc/${processId}/fd/${fd}`, 'r');
      processId = parent;
    }
    return openSync('/dev/null', 'r');
  } catch {
    // No /proc on this system, or processes of another user: the child says what is wrong with the descriptor.
    return fd;
  }
}

/** True for a socket, which is what a program on Node hands on as a pipe. Its channel to us is none of these. */
function isGivenSocket(fd) {
  const path = `/proc/self/fd/${fd}`;
  return existsSync(path) && statSync(path).isSocket() && process.env.NODE_CHANNEL_FD !== `${fd}`;
}

/** True for a file or a pipe that a process only reads; a pipe that it writes to as well is Node's own. */
function isOpened(processId, fd) {
  const folder = `/proc/${processId}/fd`;
  if (!existsSync(`${folder}/${fd}`)) return false;
  const file = statSync(`${folder}/${fd}`);
  const isRead = (one) =>
    /^flags:\s*[0-7]*[04]$/m.test(readFileSync(`/proc/${processId}/fdinfo/${one}`, 'utf8'));
  if (!isRead(fd) || !file.isFIFO()) return isRead(fd) && file.isFile();
  const pipe = readlinkSync(`${folder}/${fd}`);
  return readdirSync(folder).every((one) => targetOf(`${folder}/${one}`) !== pipe || isRead(one));
}

/** What a link leads to; nothing for a file that was closed meanwhile. */
function targetOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
