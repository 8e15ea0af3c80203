/** @module Reachability conditions of lanes, fences, grants, the switch and the process. */
import type { Sight } from '../../types.ts';
import { rowOf } from './journal-text.ts';
import type { OwnEntry, Scene } from './scene.ts';
import type { Applied, Entry, Receipt } from './truth.ts';
import { readAnswer, type Write } from './write-book.ts';

/** Share of a budget that is kept for receipts and safety (obligation O116). */
const RESERVE_SHARE = 0.15;

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly write: Write | undefined;
}

/** See {@link SOMETIMES} of the simulation's types. */
export class LaneConditions {
  readonly #scene: Scene;
  /** Nonces that are used, by whomever, and by a stranger: `scope nonce`. */
  readonly #used = new Set<string>();
  readonly #foreign = new Set<string>();
  /** Nonces whose two shadows were counted. */
  readonly #shadowed = new Set<string>();
  /** What is under way, and the write that it is about. */
  readonly #requests = new Map<number, Asked>();
  /** Lives that died before they were ready. */
  #diedStarting = false;
  #effectsWaiting = 0;
  #ipQuota = Number.POSITIVE_INFINITY;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  applied({ events }: Applied, entry: Entry, { receipt }: OwnEntry): void {
    const { world, writes } = this.#scene;
    const isUnknown = [...writes.open].some(({ isDoubtful, outcome }) => isDoubtful && outcome === undefined);
    for (const event of events) {
      if (!('account' in event) || event.account !== world.accountId) continue;
      if (event.kind === 'ScheduleCancelFired' && isUnknown) world.hit('switch fired while unknown');
      if (event.kind === 'AgentRevoked' && isUnknown) world.hit('revoke while unknown');
    }
    if (entry.kind === 'epoch') {
      // A rollback gives numbers again.
      this.#used.clear();
      this.#shadowed.clear();
      if ([...writes.open].some(({ row }) => row?.kind === 'fence')) world.hit('epoch change during fence');
    }
    if (receipt !== undefined) this.#receipt(receipt);
  }

  see(sight: Sight): void {
    switch (sight.kind) {
      case 'request':
        this.#request(sight);
        break;
      case 'answer':
        this.#answer(sight);
        break;
      case 'noAnswer':
        this.#shadow(this.#ended(sight.id)?.write);
        break;
      case 'recorded':
        this.#recorded(sight);
        break;
      case 'durable':
        if (sight.type === 'effects') this.#effectsWaiting--;
        break;
      case 'audit':
        this.#audit(sight);
        break;
      case 'clockStepped':
        if (
          [...this.#requests.values()].some(({ method, write }) => method === 'POST' && write !== undefined)
        )
          this.#scene.world.hit('clock step while in flight');
        break;
      case 'tailTorn':
        this.#scene.world.hit('recovery with torn tail');
        break;
      case 'life':
        this.#live(sight.what);
        break;
      default:
        break;
    }
  }

  #receipt(receipt: Receipt): void {
    const { world, writes } = this.#scene;
    const write = writes.byReceipt(receipt);
    if (receipt.batchStatus === 'partial') world.hit('partial batch');
    const nonce = `${receipt.scope} ${receipt.request.nonce}`;
    if (receipt.nonceConsumed) this.#used.add(nonce);
    if (write === undefined || write.sentAtMs.length === 0) {
      if (receipt.nonceConsumed) this.#foreign.add(nonce);
      return;
    }
    if (!receipt.nonceConsumed) return;
    if (write.row?.kind === 'fence') world.hit('fence taken');
    else if (this.#isFenced(write)) world.hit('fence lost');
    // Not an answer of 4xx: a proxy or a budget may have said that, of bytes that were never refused.
    if (write.wasRefusedByLog) world.hit('refused bytes sequenced later');
  }

  #isFenced({ scope, nonce }: Write): boolean {
    return this.#scene.writes.ofNonce(scope, nonce).some((one) => one.row?.kind === 'fence');
  }

  #request(sight: Extract<Sight, { kind: 'request' }>): void {
    const { world, writes } = this.#scene;
    // Asked now: with its answer another oracle may have closed it before this one sees it.
    const { path, method } = sight;
    this.#requests.set(sight.id, { path, method, write: writes.askedBy(sight.id) });
    const sent = writes.sentBy(sight)?.write;
    if (sent === undefined) return;
    const safety = world.agents().at(-1);
    const isSafety = safety !== undefined && sent.scope === `agent:${safety.toLowerCase()}`;
    if (isSafety && [...writes.open].some((one) => one.scope !== sent.scope && one.isDoubtful))
      world.hit('safety lane used while trading lane blocked');
  }

  #ended(id: number): Asked | undefined {
    const asked = this.#requests.get(id);
    this.#requests.delete(id);
    return asked;
  }

  #answer(sight: Extract<Sight, { kind: 'answer' }>): void {
    const { path = '', write } = this.#ended(sight.id) ?? {};
    this.#budget(sight, path);
    if (write === undefined) return;
    const { code } = readAnswer(sight);
    if (sight.status === 409 && code !== undefined && this.#foreign.has(`${write.scope} ${write.nonce}`))
      this.#scene.world.hit('conflict by foreign writer');
    this.#shadow(write);
  }

  /** Bytes of one nonce that may be executed still: nothing was heard of them, or they were refused. */
  #shadow(one: Write | undefined): void {
    const nonce = `${one?.scope} ${one?.nonce}`;
    if (one === undefined || this.#used.has(nonce) || this.#shadowed.has(nonce)) return;
    const { world, writes } = this.#scene;
    const isAlive = ({ isDoubtful, answers }: Write): boolean =>
      isDoubtful || answers.some(({ status }) => status >= 400);
    const shadows = [...writes.open].filter(
      (other) => other.scope === one.scope && other.nonce === one.nonce && isAlive(other),
    );
    if (shadows.length < 2) return;
    this.#shadowed.add(nonce);
    world.hit('shadow set of two');
  }

  #budget({ headers }: Extract<Sight, { kind: 'answer' }>, path: string): void {
    const quota = /q=([0-9]+)/.exec(String(headers['ratelimit-policy'] ?? ''))?.[1];
    if (quota !== undefined) this.#ipQuota = Number(quota);
    const left = /r=([0-9]+)/.exec(String(headers['ratelimit'] ?? ''))?.[1];
    const isReserved = /\/requests\/|\/cancel-all|\/schedule-cancel/.test(path);
    if (isReserved && left !== undefined && Number(left) < this.#ipQuota * RESERVE_SHARE)
      this.#scene.world.hit('budget reserve used');
  }

  #recorded(sight: Extract<Sight, { kind: 'recorded' | 'durable' }>): void {
    if (sight.type === 'effects') this.#effectsWaiting++;
    const row = rowOf(sight);
    if (row?.type !== 'outcome' || row.value.proof !== 'receipt') return;
    const write = this.#scene.writes.byRequestId(row.value.requestId);
    const isMissed = write?.truth?.items.some(({ kind, state }) => kind === 'cancel' && state === 'rejected');
    if (write?.row?.command.kind === 'replace' && isMissed === true)
      this.#scene.world.hit('replace resolved by receipt after fill');
  }

  #audit({ event }: Extract<Sight, { kind: 'audit' }>): void {
    if (event.type !== 'StrategyFailed' && event.type !== 'StrategyStopped') return;
    const strategy = event.fields['strategy'];
    if (this.#scene.restingOrders().some(({ strategyId }) => strategyId === strategy))
      this.#scene.world.hit('strategy terminated with live orders');
  }

  #live(what: Extract<Sight, { kind: 'life' }>['what']): void {
    const { world, life } = this.#scene;
    if (what === 'started') {
      if (this.#diedStarting) world.hit('recovery inside recovery');
      this.#diedStarting = false;
      this.#requests.clear();
      this.#effectsWaiting = 0;
    } else if (what === 'killed') {
      this.#diedStarting = life?.readyAtMs === undefined;
      if (this.#effectsWaiting > 0) world.hit('crash between effect and cursor');
    }
  }
}
