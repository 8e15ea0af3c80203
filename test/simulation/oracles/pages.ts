/**
 * @module
 * I24 and I29 for reads that belong together (obligations O19, O100, O101, O105, O106): pages of a history keep the
 * epoch and the bound that a first page or a `lagged` frame gave, "not yet complete" is answered with the very same
 * question, and what was behind is asked again from no earlier a position.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I24', 'I29'], begin }];

const HISTORY = /^\/v1\/account\/(fills|ledger)$/;
/** Like histories, receipts are asked for by one part of a bot alone: without a position it forgets the one before. */
const RECEIPT = /^\/v1\/requests\//;

interface Asked {
  readonly path: string;
  readonly minSeq: bigint | undefined;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const reads = new Reads(world);
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life') reads.live(sight.what);
      else if (sight.kind === 'request' && sight.method === 'GET') reads.ask(sight);
      else if (sight.kind === 'answer') reads.hear(sight);
      else if (sight.kind === 'frame' && sight.text.startsWith('{"channel":"lagged"')) reads.note(sight.text);
    },
  };
}

class Reads {
  readonly #world: OracleWorld;
  readonly #asked = new Map<number, Asked>();
  /** Bounds that the exchange has named: `epoch upper`. */
  readonly #bounds = new Set<string>();
  /** By path with its query: the position that a replica had not reached. */
  readonly #behind = new Map<string, bigint>();
  /** As it starts and as it ends a run reads its books from their beginning, and of an end unproven at any position. */
  #isUnderWay = false;
  /** By history: the page that is not written yet. */
  readonly #owed = new Map<string, string>();

  constructor(world: OracleWorld) {
    this.#world = world;
  }

  live(what: Extract<Sight, { kind: 'life' }>['what']): void {
    this.#isUnderWay = what === 'ready';
    if (what !== 'started') return;
    for (const known of [this.#asked, this.#behind, this.#owed]) known.clear();
    this.#bounds.clear();
  }

  ask({ id, path, headers }: Extract<Sight, { kind: 'request' }>): void {
    const name = Object.keys(headers).find((one) => one.endsWith('min-seq'));
    const minSeq = name === undefined ? undefined : BigInt(headers[name] ?? '0');
    this.#asked.set(id, { path, minSeq });
    const behind = this.#behind.get(path);
    // Reads are also asked by others, for whom any position will do.
    const isOfAnother = minSeq === undefined && !this.#isOfOne(path.split('?')[0] ?? '');
    if (!isOfAnother) this.#behind.delete(path);
    if (behind !== undefined && !isOfAnother && (minSeq === undefined || minSeq < behind))
      this.#world.violate('I24', `${path} is asked at ${minSeq ?? 'any position'} after a 412 at ${behind}`);
    const [resource = '', query = ''] = path.split('?');
    const history = HISTORY.exec(resource)?.[1];
    if (history !== undefined) this.#page(history, path, new URLSearchParams(query));
    if (resource.startsWith('/v1/requests/')) {
      const asked = new URLSearchParams(query);
      if (asked.has('scope') !== asked.has('nonce'))
        this.#world.violate('I24', `a receipt is asked with one of scope and nonce: ${query}`);
    }
  }

  #isOfOne(resource: string): boolean {
    return HISTORY.test(resource) ? this.#isUnderWay : RECEIPT.test(resource);
  }

  hear({ id, status, body }: Extract<Sight, { kind: 'answer' }>): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) return;
    const { path, minSeq } = asked;
    // A position means nothing in another epoch, and a garbled answer names none (obligations O20, O73).
    const isOneEpoch =
      this.#world.plan.faults['F31'] === undefined && this.#world.plan.faults['F40'] === undefined;
    if (status === 412 && minSeq !== undefined && isOneEpoch && body.includes('ReplicaBehind'))
      this.#behind.set(path, minSeq);
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
    const isSameWalk = owed?.includes(`upper=${encodeURIComponent(upper ?? '')}`) === true;
    if (isSameWalk && owed !== path)
      this.#world.violate('I24', `${path} is asked where ${owed ?? ''} was not yet complete`);
  }
}
