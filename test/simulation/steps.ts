/**
 * @module
 * The steps J1 to J28 of a crash as instants that can be named from outside: by what is seen of requests,
 * frames, rows and audit events, and by the signature that is made. J23 to J27 exist only in the file of the real
 * journal: `npm run prove -- crash` strikes there, part `file-steps`.
 *
 *   intent J1, J2 ─▶ record J3 ─▶ signature J5, J6, J7 ─▶ durable J4, J8 ─▶ request J9, J10, J11 ─▶ answer J12, J13
 *     ─▶ outcome J14, J15      no answer: receipt J16, J17, fence J18      fills J19, J20, J21, pages J22
 */
import type { Sight, StepId, World } from './types.ts';

/** One step. */
export interface Step {
  readonly id: StepId;
  readonly what: string;
  /** How often it comes in a minute of quoting: which of its occurrences are worth a draw. */
  readonly frequency: 'often' | 'seldom' | 'rare';
}

/** All steps that the simulation has. */
export const STEPS: readonly Step[] = [
  { id: 'J1', what: 'the input of an intent received', frequency: 'often' },
  { id: 'J2', what: 'risk reserved', frequency: 'often' },
  { id: 'J3', what: 'intent record handed to the journal', frequency: 'often' },
  { id: 'J4', what: 'intent record durable', frequency: 'often' },
  { id: 'J5', what: 'nonce allocated, signature not made yet', frequency: 'often' },
  { id: 'J6', what: 'signed', frequency: 'often' },
  { id: 'J7', what: 'signed, its record being committed', frequency: 'often' },
  { id: 'J8', what: 'signed and durable, about to leave', frequency: 'often' },
  { id: 'J9', what: 'a connection is opened', frequency: 'rare' },
  { id: 'J10', what: 'first byte of a write has left', frequency: 'often' },
  { id: 'J11', what: 'a write has arrived', frequency: 'often' },
  { id: 'J12', what: 'the answer of a write is there, unread', frequency: 'often' },
  { id: 'J13', what: 'the answer of a write is read', frequency: 'often' },
  { id: 'J14', what: 'outcome handed to the journal', frequency: 'often' },
  { id: 'J15', what: 'outcome durable', frequency: 'often' },
  { id: 'J16', what: 'receipt asked', frequency: 'rare' },
  { id: 'J17', what: 'receipt received', frequency: 'rare' },
  { id: 'J18', what: 'fence record durable', frequency: 'rare' },
  { id: 'J19', what: 'fill frame received', frequency: 'seldom' },
  { id: 'J20', what: 'fill and cursor handed to the journal', frequency: 'seldom' },
  { id: 'J21', what: 'fill and cursor durable', frequency: 'seldom' },
  { id: 'J22', what: 'a page of history applied', frequency: 'rare' },
  { id: 'J28', what: 'a phase of recovery', frequency: 'often' },
];

/** What a life that starts again goes through, in its order; a killed start is killed at one of them. */
export const RECOVERY_PHASES = [
  'process started',
  'wallets known',
  'scope read',
  'open write resolved',
  'streams open',
  'history read',
  'first write durable',
  'switch armed',
  'strategies may quote',
] as const;

/** See {@link RECOVERY_PHASES}. */
export type RecoveryPhase = (typeof RECOVERY_PHASES)[number];

/** Where a kill falls: in the middle of the turn that shows the step, or when that turn is over. */
type Moment = 'now' | 'after';

/** What a step has been waited for with. */
interface Awaited {
  readonly step: StepId;
  readonly phase: RecoveryPhase | undefined;
  left: number;
  readonly reach: () => void;
}

const watchers = new WeakMap<World, StepWatcher>();

/**
 * Calls `reach` once, at the `nth` occurrence of `step` from now on in the life that runs then. Gives what takes the request
 * back. Who watches the world already sees the sight of the step before it is reached.
 */
export function onStep(world: World, step: StepId, nth: number, reach: () => void): () => void {
  return watcherOf(world).add({ step, phase: undefined, left: nth, reach });
}

/** Calls `reach` once when a life that starts is in `phase`; not when it skips it. */
export function onRecovery(world: World, phase: RecoveryPhase, reach: () => void): () => void {
  return watcherOf(world).add({ step: 'J28', phase, left: 1, reach });
}

function watcherOf(world: World): StepWatcher {
  const known = watchers.get(world);
  if (known !== undefined) return known;
  const watcher = new StepWatcher(world);
  watchers.set(world, watcher);
  return watcher;
}

/** Finds steps among the sights of one world. */
class StepWatcher {
  readonly #world: World;
  readonly #awaited = new Set<Awaited>();
  /** Paths of requests that have no answer yet, by their number. */
  readonly #paths = new Map<number, string>();
  #isRecorded = false;

  constructor(world: World) {
    this.#world = world;
    world.watch((sight) => this.#see(sight));
    this.#watchSignatures();
  }

  add(awaited: Awaited): () => void {
    this.#awaited.add(awaited);
    return () => this.#awaited.delete(awaited);
  }

  #see(sight: Sight): void {
    if (sight.kind === 'request') this.#paths.set(sight.id, `${sight.method} ${sight.path}`);
    if (sight.kind === 'recorded' && sight.type === 'write') this.#isRecorded = true;
    if (this.#awaited.size > 0) {
      const path = 'id' in sight && typeof sight.id === 'number' ? (this.#paths.get(sight.id) ?? '') : '';
      if (this.#world.bot.life.state === 'running')
        for (const [step, moment] of stepsOf(sight, path)) this.#at(step, undefined, moment);
      else if (this.#world.bot.life.number > 1)
        for (const phase of phasesOf(sight, path)) this.#at('J28', phase, 'after');
    }
    if (sight.kind === 'answer' || sight.kind === 'noAnswer') this.#paths.delete(sight.id);
  }

  /** A nonce is allocated, and then signed, between the handing over of a record and its being durable. */
  #watchSignatures(): void {
    const crypto = this.#world.crypto as { sign: World['crypto']['sign'] };
    const { sign } = crypto;
    crypto.sign = (digest, key) => {
      const isWrite = this.#isRecorded && this.#world.bot.life.state === 'running';
      this.#isRecorded = false;
      if (isWrite) this.#at('J5', undefined, 'now');
      const signature = sign(digest, key);
      if (isWrite) {
        this.#at('J6', undefined, 'now');
        this.#at('J7', undefined, 'after');
      }
      return signature;
    };
  }

  #at(step: StepId, phase: RecoveryPhase | undefined, moment: Moment): void {
    for (const awaited of this.#awaited) {
      if (awaited.step !== step || (awaited.phase !== undefined && awaited.phase !== phase)) continue;
      awaited.left--;
      if (awaited.left > 0) continue;
      this.#awaited.delete(awaited);
      if (moment === 'now') awaited.reach();
      else this.#world.clock.soon(awaited.reach);
    }
  }
}

const FILLS_FRAME = '{"channel":"fills"';
const MARKET_FRAME = /^\{"channel":"(?:book|bbo|prices)"/;
const FENCE_ROW = '"kind":"fence"';

/** The steps that a sight of a running life shows. */
function stepsOf(sight: Sight, path: string): readonly (readonly [StepId, Moment])[] {
  switch (sight.kind) {
    case 'audit':
      return sight.event.type === 'CommandApproved' ? [['J2', 'now']] : [];
    case 'recorded':
    case 'durable':
      return rowSteps(sight);
    case 'opening':
      return [['J9', 'after']];
    case 'request':
      if (sight.method === 'POST') return [['J10', 'now']];
      return isReceipt(path) ? [['J16', 'now']] : [];
    case 'arrived':
      return path.startsWith('POST') ? [['J11', 'now']] : [];
    case 'answer':
      return answerSteps(path);
    case 'frame':
      if (sight.text.startsWith(FILLS_FRAME)) return [['J19', 'now']];
      return MARKET_FRAME.test(sight.text) ? [['J1', 'after']] : [];
    default:
      return [];
  }
}

function rowSteps({ kind, type, body }: Extract<Sight, { readonly kind: 'recorded' | 'durable' }>) {
  const isDurable = kind === 'durable';
  const steps: (readonly [StepId, Moment])[] = [];
  if (type === 'write') {
    steps.push([isDurable ? 'J4' : 'J3', 'now']);
    if (isDurable) steps.push(['J8', 'now']);
    if (isDurable && body.includes(FENCE_ROW)) steps.push(['J18', 'now']);
  } else if (type === 'outcome') steps.push([isDurable ? 'J15' : 'J14', 'now']);
  else if (type === 'effects') steps.push([isDurable ? 'J21' : 'J20', 'now']);
  return steps;
}

function answerSteps(path: string): readonly (readonly [StepId, Moment])[] {
  if (path.startsWith('POST')) {
    return [
      ['J12', 'now'],
      ['J13', 'after'],
    ];
  }
  if (isReceipt(path)) return [['J17', 'now']];
  return isHistory(path) ? [['J22', 'after']] : [];
}

/** The phases of recovery that a sight of a life shows that is not running yet. */
function phasesOf(sight: Sight, path: string): readonly RecoveryPhase[] {
  switch (sight.kind) {
    case 'life':
      if (sight.what === 'started') return ['process started'];
      return sight.what === 'ready' ? ['strategies may quote'] : [];
    case 'opened':
      return ['streams open'];
    case 'answer':
      if (path.includes('/account/nonce')) return ['scope read'];
      if (path.includes('/agents')) return ['wallets known'];
      return isHistory(path) ? ['history read'] : [];
    case 'durable':
      if (sight.type === 'outcome') return ['open write resolved'];
      if (sight.type === 'trigger') return ['switch armed'];
      return sight.type === 'write' ? ['first write durable'] : [];
    default:
      return [];
  }
}

function isReceipt(path: string): boolean {
  return path.startsWith('GET') && path.includes('/v1/requests/');
}

function isHistory(path: string): boolean {
  return path.startsWith('GET') && /\/v1\/account\/(?:fills|ledger|funding)/.test(path);
}
