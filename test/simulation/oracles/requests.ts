/**
 * @module
 * I22 and I24: what leaves the bot is what the interface allows, for the configured account and markets alone. Bodies
 * are read by a strict schema and encoded by a codec of the oracle's own, hashes and real signatures are checked with
 * viem; the bytes must be those that the journal recorded.
 */
import { hashTypedData, keccak256, recoverAddress } from 'viem';
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { limitsOfConfig } from './support/limits.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { parseObject, placesOf, type SentWrite } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I22', 'I24'], begin }];

/** `nowMs` may differ from the server's time by this (obligation O47); then a placement may wait for disk and budget. */
const NOW_MS_MAX = 500;
const AGE_MS_MAX = 4_000;
const WAY_MS_MAX = 100;
const ENVELOPE = ['account', 'nonce', 'signature', 'signer', 'subaccount'];
const PERMITTED: ReadonlySet<string> = new Set([
  '/v1/orders',
  '/v1/orders/cancel',
  '/v1/orders/cancel-all',
  '/v1/orders/replace',
  '/v1/orders/schedule-cancel',
  '/v1/orders/twap',
  '/v1/positions/tpsl',
  '/v1/account/leverage',
]);
const OF_OWNER: ReadonlySet<string> = new Set([
  '/v1/account/agents/approve',
  '/v1/account/agents/revoke',
  '/v1/account/subaccounts',
]);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const border = new Border(scene);
  /** `nowMs` of placements under way. */
  const placed = new Map<number, { readonly atMs: number; readonly nowMs: number }>();
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'sent') border.checkFrame(sight.text);
      else if (sight.kind === 'recorded') border.checkClock(sight);
      else if (sight.kind === 'request') {
        border.checkRequest(sight);
        const sent = scene.writes.sentBy(sight);
        if (sent === undefined) return;
        border.checkWrite(sight, sent);
        const nowMs = sent.body['nowMs'];
        const isPlacing = sent.write !== undefined && placesOf(sent.write).length > 0;
        if (isPlacing && typeof nowMs === 'number') placed.set(sight.id, { atMs: sight.atMs, nowMs });
      } else if (sight.kind === 'arrived') {
        const sent = placed.get(sight.id);
        placed.delete(sight.id);
        if (sent !== undefined && sight.atMs - sent.atMs <= WAY_MS_MAX) border.checkAge(sent.nowMs);
      } else if (sight.kind === 'answer') border.checkAnswer(sight);
    },
  };
}

class Border {
  readonly #scene: Scene;
  readonly #symbols: ReadonlySet<string>;
  readonly #address: string;
  readonly #subaccount: number;
  /** Requests that left when faults and what they left had passed: nothing but the bot can make them wrong. */
  readonly #calm = new Set<number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#symbols = limitsOfConfig(scene.world.plan.config).symbols;
    this.#address = scene.world.address.toLowerCase();
    this.#subaccount = scene.world.plan.subaccount ?? 0;
  }

  checkRequest({ id, method, path, body, headers }: Extract<Sight, { kind: 'request' }>): void {
    if (this.#scene.isCalmAgain) this.#calm.add(id);
    const [resource = '', query = ''] = path.split('?');
    if (!/^\/v1\/(?!v1\/)/.test(resource) || resource.includes('/v1/', 1))
      this.#foreign(`a path that is not below /v1 once: ${path}`);
    for (const [name, value] of new URLSearchParams(query)) this.#checkParameter(name, value);
    const symbol = /\/v1\/markets\/([^/]+)/.exec(resource)?.[1];
    if (symbol !== undefined && !this.#symbols.has(decodeURIComponent(symbol)))
      this.#foreign(`the market ${symbol}`);
    const agent = /\/v1\/agents\/([^/]+)/.exec(resource)?.[1];
    if (agent !== undefined && !this.#isAgent(agent)) this.#foreign(`the wallet ${agent}`);
    if (method === 'GET' && (body !== '' || 'authorization' in headers || path.includes('signature=')))
      this.#wrong(`a read that carries a body or a credential: ${path}`);
    if (method === 'POST') this.#checkEnvelope(resource, body);
  }

  checkFrame(text: string): void {
    const frame = parseObject(text);
    const method = frame?.['method'];
    if (method !== 'subscribe' && method !== 'unsubscribe' && method !== 'ping')
      this.#wrong(`a client frame of method ${String(method)}`);
    const params = frame?.['params'];
    if (typeof params !== 'object' || params === null) return;
    for (const [name, value] of Object.entries(params)) this.#checkParameter(name, String(value));
  }

  checkWrite(sight: Extract<Sight, { kind: 'request' }>, { write, read, body, signer }: SentWrite): void {
    const resource = sight.path.split('?')[0] ?? '';
    // A market that changes while a write is under way is read by other decimals here than there (F39).
    const isMoving = this.#scene.plans('F39', 'F40');
    if ('problem' in read) {
      if (!isMoving) this.#wrong(`${resource} with ${read.problem}`);
      return;
    }
    const row = write?.row;
    if (row === undefined || write === undefined) return;
    const bytes = `0x${write.bytes}` as const;
    if (keccak256(bytes) !== row.commandHash.toLowerCase())
      this.#wrong(`${resource}: the command hash in the record is of other bytes`);
    if (row.scope !== `agent:${signer.toLowerCase()}`) this.#wrong(`${resource}: recorded for ${row.scope}`);
    if (this.#scene.world.plan.signatures === 'real' && !isMoving)
      this.#checkSignature({ body, signer, commandHash: keccak256(bytes), nonce: write.nonce });
  }

  /** The corrected clock of the bot against the server's (obligation O47), when a write takes its time. */
  checkClock(sight: Sight): void {
    const row = rowOf(sight);
    if (row?.type !== 'write' || typeof row.value.nowMs !== 'number') return;
    const offMs = row.value.nowMs - this.#scene.world.clock.nowMs();
    if (Math.abs(offMs) > NOW_MS_MAX && this.#isClockRight())
      this.#wrong(`nowMs is ${offMs} ms off the server's time`);
  }

  /** A placement that a slow disk or a budget holds back is not sent with a time of long ago. */
  checkAge(nowMs: number): void {
    const ageMs = this.#scene.world.clock.nowMs() - nowMs;
    if (ageMs > AGE_MS_MAX && this.#isClockRight()) this.#wrong(`a placement arrives ${ageMs} ms old`);
  }

  /** Clocks that are stepped or stood still, and times told late, take a while to be known. */
  #isClockRight(): boolean {
    return (
      this.#scene.isCalmAgain || !this.#scene.plans('F9', 'F20', 'F21', 'F23', 'F49', 'F52', 'F53', 'F54')
    );
  }

  /** Refusals that a right client never earns, where nothing in the run could have made them. */
  checkAnswer({ id, status, body }: Extract<Sight, { kind: 'answer' }>): void {
    const isCalm = this.#calm.delete(id);
    if (status !== 400 && status !== 401 && status !== 403) return;
    if (!isCalm && Object.keys(this.#scene.world.plan.faults).length > 0) return;
    // A grant that a fault has ended stays ended.
    if (this.#scene.struck.has('F45') || body.includes('not yet complete')) return;
    this.#wrong(`answered with ${status}: ${body.slice(0, 200)}`);
  }

  #checkEnvelope(resource: string, body: string): void {
    const json = parseObject(body);
    if (json === undefined) {
      this.#wrong(`POST ${resource} without a JSON object`);
      return;
    }
    const { account, signer, vault, subaccount, signature } = json;
    if (vault !== undefined) this.#foreign(`the vault ${String(vault)}`);
    if (String(account).toLowerCase() !== this.#address) this.#foreign(`the account ${String(account)}`);
    for (const [, symbol = ''] of body.matchAll(/"symbol":"([^"]*)"/g))
      this.#checkParameter('symbol', symbol);
    if ((subaccount ?? 0) !== this.#subaccount) this.#foreign(`the subaccount ${String(subaccount)}`);
    if (!/"nonce":[0-9]+[,}]/.test(body)) this.#wrong(`POST ${resource} with a nonce that is no integer`);
    if (!/^0x[0-9a-f]{130}$/i.test(String(signature)))
      this.#wrong(`POST ${resource} with a signature that is none`);
    if (signer === undefined) {
      if (!OF_OWNER.has(resource)) this.#wrong(`POST ${resource} signed by the main wallet`);
      return;
    }
    if (!PERMITTED.has(resource)) this.#wrong(`POST ${resource} signed by an API wallet`);
    if (!this.#isAgent(String(signer))) this.#foreign(`the signer ${String(signer)}`);
    // A field of the envelope inside the business part would have been refused there.
    const twice = ENVELOPE.find((name) => body.split(`"${name}":`).length > 2);
    if (twice !== undefined) this.#wrong(`POST ${resource} with ${twice} twice`);
  }

  #checkParameter(name: string, value: string): void {
    if (name === 'address' && value.toLowerCase() !== this.#address) this.#foreign(`the address ${value}`);
    if (name === 'subaccount' && value !== String(this.#subaccount)) this.#foreign(`the subaccount ${value}`);
    if (name === 'vault') this.#foreign(`the vault ${value}`);
    if (name === 'symbol' && !this.#symbols.has(value)) this.#foreign(`the market ${value}`);
    if (name === 'depth' && !(Number(value) >= 1 && Number(value) <= 100)) this.#wrong(`a depth of ${value}`);
    if (name === 'signer' && !this.#isAgent(value)) this.#foreign(`the signer ${value}`);
  }

  #checkSignature(parts: {
    readonly body: Readonly<Record<string, unknown>>;
    readonly signer: string;
    readonly commandHash: `0x${string}`;
    readonly nonce: bigint;
  }): void {
    const { domain } = this.#scene.world.exchange.settings;
    const hash = hashTypedData({
      domain: { ...domain, verifyingContract: domain.verifyingContract as `0x${string}` },
      types: {
        AgentExec: [
          { name: 'commandHash', type: 'bytes32' },
          { name: 'nonce', type: 'uint64' },
        ],
      },
      primaryType: 'AgentExec',
      message: { commandHash: parts.commandHash, nonce: parts.nonce },
    });
    const signature = String(parts.body['signature']) as `0x${string}`;
    const judge = (address: string): void => {
      if (address.toLowerCase() !== parts.signer.toLowerCase())
        this.#wrong(`a signature of ${address} in the name of ${parts.signer}`);
    };
    recoverAddress({ hash, signature }).then(judge, () => this.#wrong('a signature of nobody'));
  }

  #isAgent(address: string): boolean {
    const agents = this.#scene.world.agents();
    return agents.length === 0 || agents.some((agent) => agent.toLowerCase() === address.toLowerCase());
  }

  #foreign(what: string): void {
    this.#scene.world.violate('I22', what);
  }

  #wrong(what: string): void {
    this.#scene.world.violate('I24', what);
  }
}
