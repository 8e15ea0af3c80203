/**
 * @module
 * The long proofs, one command for all: `npm run prove` lists them, `npm run prove -- swarm --seeds 250` runs one,
 * `npm run prove -- swarm --help` shows its options. Each is a file of its own in `scripts/prove` and runs in a process of
 * its own with the flags that it needs of Node. Its exit code is that of the command: 0 means proven, 1 means not, 64
 * means that the command line is wrong and nothing ran.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

interface Prover {
  /** What it proves, in one line of at most 60 characters. */
  readonly proves: string;
  /** Roughly how long it takes on two cores without options. */
  readonly takes: string;
  /** Additional flags of Node. */
  readonly flags?: readonly string[];
}

const USAGE = 64;

/** By name, which is that of the file; in the order in which they are listed. */
export const PROVERS: Readonly<Record<string, Prover>> = {
  swarm: { proves: 'Seeded bots under faults keep every invariant', takes: '4 min' },
  explore: { proves: 'Every schedule of a small scope keeps every invariant', takes: '20 min' },
  mutants: { proves: 'The oracles of the simulation catch every wrong client', takes: '20 min' },
  defects: { proves: 'The conformance suite catches every wrong exchange', takes: '2 min' },
  crash: { proves: 'A bot and its journal survive death at every step', takes: '15 min' },
  writes: { proves: 'A million writes with losses run once, and end proven', takes: '6 min' },
  force: { proves: "The dead man's switch ends real bots that are struck", takes: '5 min' },
  signals: { proves: 'A bot ended by any signal at any instant leaves no order', takes: '15 min' },
  kills: { proves: 'A bot that is killed returns, and leaves no order', takes: '1 min' },
  operator: { proves: 'The path of a first operator, from keys to attestation', takes: '1 min' },
  hostile: { proves: 'A real bot heals from each fault of a hostile gateway', takes: '20 min' },
  cuts: { proves: 'The client is right when a socket is cut at any byte', takes: '5 min' },
  fuzz: { proves: 'Malformed input never gets past a door', takes: '15 min' },
  'fuzz-api': { proves: 'The exchange answers as openapi.yaml says; needs Python', takes: '5 min' },
  parity: { proves: 'Backtest, paper and wire decide alike; needs recordings', takes: '2 min' },
  'paper-soak': {
    proves: 'Ten hours of paper need no more memory; needs recordings',
    takes: '6 min',
    flags: ['--expose-gc'],
  },
  calibration: { proves: 'Calibrated queue models predict fills and markouts', takes: '20 s' },
  papers: { proves: 'Strategies give the numbers of the papers they come from', takes: '20 s' },
  'record-load': { proves: 'A recorder keeps every frame of 50 busy markets', takes: '1 min' },
  'second-tries': { proves: 'The second try of each test by the clock works', takes: '15 min' },
  'import-fuzz': { proves: 'Mutilated recordings are read right, refused, or told', takes: '10 min' },
  attest: { proves: 'Months of many strategies are attested to the last unit', takes: '4 min' },
  explain: { proves: 'Each order, denial and gap of an hour is explained', takes: '9 min' },
  'import-check': { proves: 'Imported recordings keep every number; needs recordings', takes: '1 min' },
};

/** The list of provers as lines. */
function listed(): string {
  const rows = Object.entries(PROVERS).map(
    ([name, { proves, takes }]) => `  ${name.padEnd(14)}${takes.padStart(6)}  ${proves}`,
  );
  return ['npm run prove -- <name> [options]; <name> --help shows the options', '', ...rows].join('\n');
}

/** Runs a prover; its exit code. A signal goes on to it, and it decides how it ends. */
function prove(
  name: string,
  { proves, takes, flags = [] }: Prover,
  args: readonly string[],
): Promise<number> {
  if (args.includes('--help')) process.stdout.write(`${name}: ${proves}. Takes ${takes}.\n\n`);
  const file = join(import.meta.dirname, 'prove', `${name}.ts`);
  const command = ['--conditions=ballast-source', ...flags, file, ...args];
  const child = spawn(process.execPath, command, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

if (import.meta.main) {
  const [name, ...args] = process.argv.slice(2);
  const prover = name !== undefined && Object.hasOwn(PROVERS, name) ? PROVERS[name] : undefined;
  if (name !== undefined && prover !== undefined) process.exitCode = await prove(name, prover, args);
  else if (name === undefined || name === '--help') process.stdout.write(`${listed()}\n`);
  else {
    const known = Object.keys(PROVERS).join(', ');
    process.stderr.write(`expected one of the provers ${known}, got ${JSON.stringify(name)}\n`);
    process.exitCode = USAGE;
  }
}
