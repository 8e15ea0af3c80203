/**
 * @module
 * What is read from the exchange before the first write: the epoch, whether orders are open, and each scope's counter.
 * Every read is repeated until it is answered or the deadline has passed.
 */
import { type Clock, ConfigError, GatewayError, type Random } from '../../core/index.ts';
import type { ScopeNonce, WriteContext } from '../../wire/protocol/index.ts';
import { Backoff } from './backoff.ts';
import { errorOf, fieldsOf } from './bodies.ts';
import { readNonce } from './nonce-answer.ts';
import { type OpenOrders, readOpenOrders } from './open-orders.ts';
import type { CommandSigner, NoAnswer, RawAnswer, WritePipe } from './ports.ts';

/** What the reads are made with. */
export interface StartPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Reads the nonce of a signer and the open orders. */
  readonly pipe: Pick<WritePipe, 'nonce' | 'openOrders'>;
  readonly context: WriteContext;
  /** How long a read is repeated; infinity: until it is answered, or `isOver`. */
  readonly timeoutMs: number;
  /** True once no caller waits any more. */
  readonly isOver?: () => boolean;
}

/** The scope of an API wallet (exchange.md#nonces). */
export function scopeOf(signer: Pick<CommandSigner, 'address'>): string {
  return `agent:${signer.address.toLowerCase()}`;
}

/**
 * The counter of a signer's scope, of an API wallet unless another is named, read at or after what `minSeq` says then.
 * @throws ConfigError `EXECUTION_SCOPE_MISMATCH` when the exchange speaks of another scope or account (obligation O31);
 * GatewayError `EXECUTION_START_UNANSWERED`.
 */
export async function readScope(
  ports: StartPorts,
  signer: CommandSigner,
  minSeq?: () => bigint | undefined,
  scope: string = scopeOf(signer),
): Promise<ScopeNonce> {
  const ask = () => ports.pipe.nonce(signer.address, minSeq?.());
  const next = await untilRead(ports, 'the next nonce', ask, readNonce);
  const account = ports.context.signingAccountId;
  if (next.scope === scope && next.signingAccountId === account) return next;
  throw new ConfigError({
    code: 'EXECUTION_SCOPE_MISMATCH',
    message: `expected the scope ${scope} of account ${account}, got ${next.scope} of account ${next.signingAccountId}`,
    remedy:
      'Check the address of the main wallet, the subaccount, and that this API wallet is granted to them.',
  });
}

/**
 * The open orders of the account. A 404 is an account that does not exist yet (obligation O17), but not one without an
 * error of the interface: a proxy says nothing of accounts (obligation O73). @throws GatewayError
 */
export function readAccountStart(ports: StartPorts): Promise<OpenOrders> {
  const read = (answer: RawAnswer | NoAnswer): OpenOrders | undefined =>
    answer.kind === 'answer' && answer.status === 404 && errorOf(fieldsOf(answer.body)) !== undefined
      ? { count: 0, refs: [], seq: undefined, epoch: undefined }
      : readOpenOrders(answer);
  return untilRead(ports, 'the open orders', () => ports.pipe.openOrders(undefined), read);
}

async function untilRead<T>(
  { clock, random, timeoutMs, isOver }: StartPorts,
  what: string,
  ask: () => Promise<RawAnswer | NoAnswer>,
  read: (answer: RawAnswer | NoAnswer) => T | undefined,
): Promise<T> {
  const backoff = new Backoff(random);
  const sinceMs = clock.monotonicMs();
  for (;;) {
    const answer = await ask();
    const value = read(answer);
    if (value !== undefined) return value;
    const waitedMs = clock.monotonicMs() - sinceMs;
    if (waitedMs > timeoutMs || isOver?.() === true) throw unanswered(what, waitedMs, answer);
    const retryMs = answer.kind === 'answer' ? answer.retryAfterMs : undefined;
    await new Promise<void>((resolve) => void clock.after(backoff.next(retryMs), resolve));
  }
}

function unanswered(what: string, waitedMs: number, answer: RawAnswer | NoAnswer): GatewayError {
  const last = answer.kind === 'answer' ? `status ${answer.status}` : answer.why;
  return new GatewayError({
    code: 'EXECUTION_START_UNANSWERED',
    message: `expected ${what} within ${Math.round(waitedMs)} ms, got ${last}`,
    remedy: 'Check the base URL and the network; nothing was written.',
  });
}

/** The error of a start that could not prove what a previous run had left open. */
export function unresolvedAtStart(count: number, timeoutMs: number): GatewayError {
  return new GatewayError({
    code: 'EXECUTION_START_UNRESOLVED',
    message: `expected all writes of the last run to be resolved within ${timeoutMs} ms, got ${count} open`,
    remedy: 'Start again when the gateway answers receipts; nothing new was written.',
    effect: 'unknown',
  });
}
