/** @module Reachability conditions of streams, histories and snapshots. */
import type { Sight } from '../../types.ts';
import type { Scene } from './scene.ts';
import { parseObject } from './write-book.ts';

const HISTORY = /\/account\/(?:fills|ledger)(?:\?|$)/;

/** See {@link SOMETIMES} of the simulation's types. */
export class StreamConditions {
  readonly #scene: Scene;
  readonly #pages = new Map<number, { readonly path: string; readonly hasMinSeq: boolean }>();
  /** Histories whose last answer was "not yet complete", by what was asked. */
  readonly #incomplete = new Set<string>();
  readonly #walking = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  see(sight: Sight): void {
    switch (sight.kind) {
      case 'request':
        if (sight.method === 'GET' && HISTORY.test(sight.path)) {
          const hasMinSeq = Object.keys(sight.headers).some((name) => name.endsWith('min-seq'));
          this.#pages.set(sight.id, { path: sight.path, hasMinSeq });
        }
        break;
      case 'answer':
        this.#answer(sight);
        break;
      case 'noAnswer':
        this.#pages.delete(sight.id);
        break;
      case 'frame':
        this.#frame(sight.text);
        break;
      case 'life':
        if (sight.what === 'started') {
          this.#pages.clear();
          this.#incomplete.clear();
          this.#walking.clear();
        }
        break;
      default:
        break;
    }
  }

  #answer(sight: Extract<Sight, { kind: 'answer' }>): void {
    const page = this.#pages.get(sight.id);
    if (page === undefined) return;
    this.#pages.delete(sight.id);
    const { world } = this.#scene;
    const { path, hasMinSeq } = page;
    const history = HISTORY.exec(path)?.[0] ?? '';
    if (sight.status === 412 && hasMinSeq) world.hit('seam with replica behind');
    if (sight.status === 400 && sight.body.includes('not yet complete')) this.#incomplete.add(path);
    if (sight.status !== 200) return;
    const hasMore = parseObject(sight.body)?.['hasMore'] === true;
    if (hasMore) this.#walking.add(history);
    else this.#walking.delete(history);
    if (this.#incomplete.delete(path) && !hasMore) world.hit('not yet complete on last page');
  }

  #frame(text: string): void {
    const { world } = this.#scene;
    if (text.startsWith('{"channel":"lagged"')) {
      if (this.#pages.size > 0 || this.#walking.size > 0) world.hit('lagged during backfill');
      return;
    }
    if (!text.startsWith('{"channel":"orders"') || !text.includes('"isSnapshot":true')) return;
    const believed = world.view()?.openOrders ?? [];
    if (believed.some(({ orderId }) => !text.includes(`"${orderId}"`)))
      world.hit('snapshot omitting a locally open order');
  }
}
