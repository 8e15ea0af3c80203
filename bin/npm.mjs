// npm ends on SIGTERM without handing it on; its death is seen as a new parent and taken for the signal.
// Between npm and us may stand a shell that outlives it: then the shell's parent is npm.
import { readFileSync } from 'node:fs';

/** Calls `end` once npm, which started this process, is gone. */
export function whenNpmEnds(end) {
  if (!process.env.npm_lifecycle_event) return;
  const started = parents();
  // Once: a second signal says that the first one took too long, and the end in order is given up.
  const watch = setInterval(() => {
    if (parents() === started) return;
    clearInterval(watch);
    end();
  }, 200);
  watch.unref();
}

/** Who started this process, and who started the shell that did. */
function parents() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, name, parent] = /\((.*)\) \S ([0-9]+)/s.exec(stat);
    return /^(?:ba|da|k|z|a|)sh$/.test(name) ? `${process.ppid} ${parent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`; // No /proc on this system.
  }
}
