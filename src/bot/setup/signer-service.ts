/**
 * @module
 * A service that signs for a wallet, spoken to by HTTP: one POST a signature, with the message that a process gets as a line.
 * Its connections are kept open. Only TLS, or this machine: who is on the way must not read what is signed next.
 */
import { rootCertificates } from 'node:tls';
import type { Agent } from 'undici';
import { isRecord, messageOf } from '../../core/index.ts';
import type { SigningRequest } from '../../wire/crypto/index.ts';
import { type SignerPlan, type SignerPorts, WatchedSigner } from './watched-signer.ts';

const ANSWER_BYTES_MAX = 65_536;
const CONNECTIONS = 2;
/** Longer than the pauses of most lanes: a new connection with TLS is several round trips. */
const KEPT_OPEN_MS = 60_000;

/** See the module. Nothing is contacted before the first signature is asked for. */
export class SignerService extends WatchedSigner {
  readonly #at: Extract<SignerPlan, { url: string }>;
  #agent: Agent | undefined;

  constructor(plan: Extract<SignerPlan, { url: string }>, ports: SignerPorts) {
    super(plan, ports);
    this.#at = plan;
  }

  protected get called(): string {
    return this.#at.url;
  }

  protected send(id: number, request: SigningRequest): undefined {
    this.#post(id, request).catch((thrown: unknown) => this.fail(id, messageOf(thrown)));
  }

  protected end(): void {
    void this.#agent?.destroy();
  }

  async #post(id: number, request: SigningRequest): Promise<void> {
    const { Agent, request: ask } = await import('undici');
    const { url, token, ca, timeoutMs } = this.#at;
    this.#agent ??= new Agent({
      ...{ connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: KEPT_OPEN_MS },
      ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      connect: { timeout: timeoutMs, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) },
    });
    const { statusCode, body } = await ask(url, {
      method: 'POST',
      dispatcher: this.#agent,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ id, ...request }),
    });
    let text = '';
    body.setEncoding('utf8');
    for await (const part of body) {
      text += String(part);
      if (text.length > ANSWER_BYTES_MAX) {
        body.destroy();
        this.fail(id, `it answers with more than ${ANSWER_BYTES_MAX} characters`);
        return;
      }
    }
    const read = answerIn(text);
    const isAnswer = read !== undefined && (read['signature'] ?? read['error']) !== undefined;
    if (read === undefined || !isAnswer)
      this.fail(id, `it answers with status ${statusCode} and no signature`);
    else if (read['id'] !== undefined && read['id'] !== id) this.fail(id, 'it answers another request');
    else this.take({ ...read, id });
  }
}

function answerIn(text: string) {
  try {
    const read: unknown = JSON.parse(text);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
