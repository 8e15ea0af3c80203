/**
 * @module
 * I24 and I29 for reads that belong together (obligations O19, O100, O101, O105, O106): pages of a history keep the
 * epoch and the bound that a first page or a `lagged` frame gave, "not yet complete" is answered with the very same
 * question, and what was behind is asked again from no earlier a position of the same epoch.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { ProvenPositions } from './support/proven-positions.ts';
import { type Scene, sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I24', 'I29'], begin }];

const HISTORY = /^\/v1\/account\/(fills|ledger)$/;
/** Like histories, receipts are asked for by one part of a bot alone: without a position it forgets the one before. */
const RECEIPT = /^\/v1\/requests\//;
const ORDERS = '/v1/account/orders';
/** What the end of a run is proven with. */
const BOOKS = /^\/v1\/account(\/(fills|ledger|orders|positions))?$/;
const SYNCED = 'the account is synced';

interface Asked {
  readonly path: string;
  readonly minSeq: bigint | undefined;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const reads = new Reads(world, scene);
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life') reads.live(sight.what);
      else if (sight.kind === 'request') reads.ask(sight);
      else if (sight.kind === 'answer') reads.hear(sight);
      else if (sight.kind === 'frame') reads.take(sight.text);
      else if (sight.kind === 'recorded') reads.follow(rowOf(sight));
      else if (sight.kind === 'log' && sight.message === SYNCED) reads.proven.note(sight.fields['seq']);
      // What the disk has lost the journal says again.
      else if (sight.kind === 'fault' && (sight.id === 'F57' || sight.id === 'F58')) reads.forgetEpoch();
    },
  };
}

class Reads {
  readonly #world: OracleWorld;
  readonly #scene: Scene;
  readonly #asked = new Map<number, Asked>();
  /** Bounds that the exchange has named: `epoch upper`. */
  readonly #bounds = new Set<string>();
  /** By path with its query: the positions that a replica had not reached, and nobody has asked at again; ascending. */
  readonly #behind = new Map<string, bigint[]>();
  /** Which of the exchange's epochs the bot's books belong to, by its journal. */
  #epochAt = 0;
  /**
   * As it starts and as it ends a run reads its books from their beginning, and of an end unproven at any position. Its
   * streams may be joined meanwhile: then two readers ask for one history, each again at its own position.
   */
  #isUnderWay = false;
  /** Positions at which this life has asked for anything. */
  readonly #positions = new Set<bigint>();
  /** By history: the page that is not written yet. */
  readonly #owed = new Map<string, string>();
  /** Entries that a journal of this bot has: a walk may begin after any of them. */
  readonly #booked = new Set<string>();
  /** Where those read that prove what became of writes. */
  readonly proven: ProvenPositions;

  constructor(world: OracleWorld, scene: Scene) {
    this.#world = world;
    this.proven = new ProvenPositions(world);
    this.#scene = scene;
  }

  live(what: Extract<Sight, { kind: 'life' }>['what']): void {
    this.#isUnderWay = what === 'ready';
    if (what !== 'started') return;
    for (const known of [this.#asked, this.#behind, this.#owed]) known.clear();
    this.#bounds.clear();
    this.#positions.clear();
    this.proven.clear();
  }

  ask(sight: Extract<Sight, { kind: 'request' }>): void {
    this.proven.ask(sight);
    const { id, method, path, headers } = sight;
    if (method !== 'GET') return;
    const name = Object.keys(headers).find((one) => one.endsWith('min-seq'));
    const minSeq = name === undefined ? undefined : BigInt(headers[name] ?? '0');
    this.#asked.set(id, { path, minSeq });
    this.#checkPosition(path, minSeq);
    if (minSeq !== undefined) this.#positions.add(minSeq);
    const [resource = '', query = ''] = path.split('?');
    const history = HISTORY.exec(resource)?.[1];
    if (history !== undefined) this.#page(history, path, new URLSearchParams(query));
    if (resource.startsWith('/v1/requests/')) {
      const asked = new URLSearchParams(query);
      if (asked.has('scope') !== asked.has('nonce'))
        this.#world.violate('I24', `a receipt is asked with one of scope and nonce: ${query}`);
    }
  }

  /**
   * Where several parts of a bot read one thing, each asks again at its own position: a question answers the latest 412 that
   * is not after it.
   */
  #checkPosition(path: string, minSeq: bigint | undefined): void {
    // A position that the exchange never had is a false one (F76), and asked for again by nobody.
    const seq = BigInt(this.#world.exchange.seq);
    const behind = (this.#behind.get(path) ?? []).filter((one) => one <= seq);
    if (behind.length === 0) return;
    const answered = minSeq === undefined ? -1 : behind.findLastIndex((one) => one <= minSeq);
    // Reads are also asked by others, for whom any position will do.
    const resource = path.split('?')[0] ?? '';
    const isOfAnother =
      minSeq === undefined
        ? !this.#isOfOne(resource)
        : this.#isOfEnd(minSeq) || this.#isOfProof(resource, minSeq);
    if (answered >= 0) behind.splice(answered, 1);
    else if (!isOfAnother) {
      this.#world.violate(
        'I24',
        `${path} is asked at ${minSeq ?? 'any position'} after a 412 at ${behind[0]}`,
      );
      behind.length = 0;
    }
    this.#behind.set(path, behind);
  }

  #isOfOne(resource: string): boolean {
    return HISTORY.test(resource) ? this.#isUnderWay : RECEIPT.test(resource);
  }

  /** May the other reader of an ending run ask there? */
  #isOfEnd(minSeq: bigint): boolean {
    return !this.#isUnderWay && this.#positions.has(minSeq);
  }

  /**
   * Whether orders are open is asked at the position of the bot's own writes, and the books of an end where that was
   * proven. An audit that was ended by a lost stream may have asked for the same further on.
   */
  #isOfProof(resource: string, minSeq: bigint): boolean {
    const isRead = resource === ORDERS || (!this.#isUnderWay && BOOKS.test(resource));
    return isRead && this.proven.has(minSeq);
  }

  take(frame: string): void {
    this.#hearEpochs(frame);
    if (frame.startsWith('{"channel":"lagged"')) this.note(frame);
  }

  /** The journal goes on in the epoch of this row. */
  follow(row: ReturnType<typeof rowOf>): void {
    if (row?.type === 'outcome') this.proven.settle(row);
    if (row?.type !== 'effects' && row?.type !== 'epoch') return;
    const { epoch } = row.value;
    const at = this.#indexOf(epoch);
    if (at > this.#epochAt) this.proven.beginEpoch();
    this.#epochAt = Math.max(this.#epochAt, at);
    if (row.type === 'epoch') return;
    for (const { id } of row.value.fills) this.#booked.add(`fills ${epoch} ${id}`);
    for (const { id } of row.value.ledger) this.#booked.add(`ledger ${epoch} ${id}`);
  }

  forgetEpoch(): void {
    this.#epochAt = 0;
  }

  /**
   * A later epoch than that of the bot's books makes all positions void (obligation O20), those too that were of the
   * later one already: a bot that had not heard of it cannot tell them apart.
   */
  #hearEpochs(text: string): void {
    // The books belong to the newest one: no text can name a later one.
    if (this.#epochAt === this.#scene.truth.epochs.length - 1) return;
    const named = text.matchAll(/"epoch":"?([^",}]+)/g);
    if (![...named].some(([, epoch = '']) => this.#indexOf(epoch) > this.#epochAt)) return;
    this.#behind.clear();
    this.proven.beginEpoch();
    // What is under way was asked before.
    for (const [id, { path }] of this.#asked) this.#asked.set(id, { path, minSeq: undefined });
  }

  #indexOf(name: string): number {
    return this.#scene.truth.epochs.findIndex(({ epoch }) => epoch === name);
  }

  hear(sight: Extract<Sight, { kind: 'answer' }>): void {
    this.proven.hear(sight);
    const { id, status, body } = sight;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.#hearEpochs(body);
    if (asked === undefined) return;
    const { path, minSeq } = asked;
    // A garbled answer names no position (obligation O73).
    if (status === 412 && minSeq !== undefined && body.includes('ReplicaBehind')) {
      const behind = [...(this.#behind.get(path) ?? []), minSeq];
      this.#behind.set(
        path,
        behind.sort((a, b) => Number(a - b)),
      );
    }
    const history = HISTORY.exec(path.split('?')[0] ?? '')?.[1];
    if (history === undefined) return;
    if (status === 400 && body.includes('not yet complete') && path.includes('after='))
      this.#owed.set(history, path);
    if (status === 200) this.note(body);
  }

  /** Takes the bounds of a page or of a `lagged` frame; the digits as they stand: an epoch may be an integer of any size. */
  note(text: string): void {
    const epoch = /"epoch":"?([^",}]+)/.exec(text)?.[1];
    const upper = /"upper":"([^"]+)"/.exec(text)?.[1];
    if (epoch !== undefined && upper !== undefined) this.#bounds.add(`${epoch} ${upper}`);
  }

  #page(history: string, path: string, query: URLSearchParams): void {
    const owed = this.#owed.get(history);
    this.#owed.delete(history);
    if (!query.has('after')) return;
    const { epoch, upper } = { epoch: query.get('epoch'), upper: query.get('upper') };
    if (epoch === null || upper === null)
      this.#world.violate('I24', `a later page of ${history} without its bounds: ${path}`);
    else if (!this.#bounds.has(`${epoch} ${upper}`))
      this.#world.violate('I24', `a page of ${history} with bounds that nobody gave: ${epoch} ${upper}`);
    const isSameBound = owed?.includes(`upper=${encodeURIComponent(upper ?? '')}`) === true;
    if (isSameBound && owed !== path && !this.#isAnotherWalk(history, owed, query))
      this.#world.violate('I24', `${path} is asked where ${owed} was not yet complete`);
  }

  /** `lagged` ends an audit's walk, and may give the same bound to one that begins after the newest entry. */
  #isAnotherWalk(history: string, owed: string, query: URLSearchParams): boolean {
    const after = query.get('after') ?? '';
    const isMoved = !owed.includes(`after=${encodeURIComponent(after)}&`);
    return isMoved && this.#booked.has(`${history} ${query.get('epoch')} ${after}`);
  }
}
