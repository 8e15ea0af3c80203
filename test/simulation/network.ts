/**
 * @module
 * The network between the bot and the exchange, in memory: every request and every socket of every life goes through
 * it, and what is to go wrong is told to it as rules. Requests overtake each other, frames of a socket do not. What has
 * left a life arrives even when that life is over; what comes back to it goes nowhere.
 *
 *   life ─ request ─▶ flight ─ freight ─▶ exchange        rules: refused, cut, late, twice, another answer
 *   life ◀─ frames ── lane ◀───────────── exchange        rules: dropped, doubled, held, changed, cut
 */
import type { HttpAnswer, HttpRequest, NoAnswer, Transport } from '../../src/wire/gateway/transport.ts';
import { Flight } from './network/flight.ts';
import { Freight } from './network/freight.ts';
import { type LifeLine, type NetworkParts, Wire } from './network/line.ts';
import { MemorySocket, type MemorySocketParts } from './network/memory-socket.ts';
import type { FrameRule, FrameWay, Network, RequestFault, RequestSight } from './types.ts';

export type { LifeLine, NetworkParts } from './network/line.ts';

/** A network with its ends for the lives of the bot. */
export interface SimulationNetwork extends Network {
  /** The transport of one life; a life may have several. */
  connect(life: LifeLine): Transport;
  /** A life is over: what is under way from it arrives, what comes back goes nowhere, its sockets end. */
  hangUp(life: number): void;
}

/** A network in which nothing goes wrong yet. */
export function createNetwork(parts: NetworkParts): SimulationNetwork {
  return new MemoryNetwork(parts);
}

type RequestPick = (request: RequestSight) => RequestFault | undefined;
type UpgradeRule = () => { readonly refuse: number } | { readonly delayMs: number } | undefined;

interface Flying {
  readonly life: number;
  readonly flight: Flight;
}

class MemoryNetwork implements SimulationNetwork {
  readonly #wire: Wire;
  readonly #freight: Freight;
  readonly #picks = new Set<RequestPick>();
  readonly #frameRules = new Set<FrameRule>();
  readonly #upgradeRules = new Set<UpgradeRule>();
  readonly #holes = new Set<() => void>();
  readonly #flying = new Set<Flying>();
  readonly #sockets = new Map<MemorySocket, number>();
  /** Lives that are over: what their last turn still asks for does not leave. */
  readonly #gone = new Set<number>();
  #requests = 0;
  #opened = 0;

  constructor(parts: NetworkParts) {
    this.#wire = new Wire(parts);
    this.#freight = new Freight(this.#wire);
  }

  connect(life: LifeLine): Transport {
    const own = new Set<{ lose(why: string): void }>();
    return {
      request: (request) => this.#request(request, life, own),
      open: (listener, onUpgrade) => this.#open({ life, listener, onUpgrade }, own),
      close: async () => {
        for (const one of [...own]) one.lose('the transport was closed');
      },
    };
  }

  hangUp(life: number): void {
    this.#gone.add(life);
    for (const flying of [...this.#flying]) {
      if (flying.life !== life) continue;
      flying.flight.abandon();
      this.#flying.delete(flying);
    }
    for (const [socket, owner] of this.#sockets) if (owner === life) socket.abandon();
  }

  onRequest(pick: RequestPick): () => void {
    return added(this.#picks, pick);
  }

  onFrame(rule: FrameRule): () => void {
    return added(this.#frameRules, rule);
  }

  onUpgrade(rule: UpgradeRule): () => void {
    return added(this.#upgradeRules, rule);
  }

  cutSockets(why: string): void {
    for (const socket of this.#sockets.keys()) if (!socket.isGone) socket.cut(why);
  }

  blackHole(): () => void {
    this.#wire.changeHoles(1);
    const end = (): void => {
      if (!this.#holes.delete(end)) return;
      this.#wire.changeHoles(-1);
      if (this.#wire.isBlack) return;
      this.#freight.resume();
      for (const lane of this.#lanes()) lane.resume();
    };
    this.#holes.add(end);
    return end;
  }

  heal(): void {
    this.#picks.clear();
    this.#frameRules.clear();
    this.#upgradeRules.clear();
    for (const end of [...this.#holes]) end();
    this.#freight.hurry(this.#wire.parts.latency.requestMs);
    for (const lane of this.#lanes()) lane.hurry();
  }

  #request(
    request: HttpRequest,
    life: LifeLine,
    own: Set<{ lose(why: string): void }>,
  ): Promise<HttpAnswer | NoAnswer> {
    if (this.#gone.has(life.number)) return new Promise(() => undefined);
    const { method, path, headers, body = '' } = request;
    const sight: RequestSight = { id: ++this.#requests, life: life.number, method, path, headers, body };
    this.#wire.tell({ kind: 'request', ...sight });
    const fault = firstOf(this.#picks, (pick) => pick(sight));
    return new Promise((resolve) => {
      const settle = (result: HttpAnswer | NoAnswer): void => {
        this.#flying.delete(flying);
        own.delete(flight);
        resolve(result);
      };
      const flight = new Flight({
        wire: this.#wire,
        freight: this.#freight,
        life,
        request,
        sight,
        fault,
        settle,
      });
      const flying = { life: life.number, flight };
      this.#flying.add(flying);
      own.add(flight);
      flight.leave();
    });
  }

  #open(
    parts: Pick<MemorySocketParts, 'life' | 'listener' | 'onUpgrade'>,
    own: Set<{ lose(why: string): void }>,
  ): MemorySocket {
    for (const socket of [...this.#sockets.keys()]) if (socket.isGone) this.#sockets.delete(socket);
    const socket = new MemorySocket({
      ...parts,
      number: ++this.#opened,
      wire: this.#wire,
      freight: this.#freight,
      fate: firstOf(this.#upgradeRules, (rule) => rule()),
      rule: (text: string, way: FrameWay) => firstOf(this.#frameRules, (rule) => rule(text, way)),
    });
    this.#sockets.set(socket, parts.life.number);
    own.add({ lose: (why) => socket.close(why) });
    return socket;
  }

  *#lanes() {
    for (const socket of this.#sockets.keys()) yield* socket.lanes;
  }
}

/** Adds a rule; gives what takes it out. */
function added<Rule>(rules: Set<Rule>, rule: Rule): () => void {
  rules.add(rule);
  return () => {
    rules.delete(rule);
  };
}

/** What the oldest rule says that says anything. */
function firstOf<Rule, Said>(
  rules: ReadonlySet<Rule>,
  ask: (rule: Rule) => Said | undefined,
): Said | undefined {
  for (const rule of rules) {
    const said = ask(rule);
    if (said !== undefined) return said;
  }
  return undefined;
}
