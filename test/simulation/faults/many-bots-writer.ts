/**
 * @module
 * A second writer on the nonce scope of one of the bot's wallets: the same key on another host, with a client of its own
 * that asks for the nonce, signs and sends like any other. It knows nothing of the bot's journal.
 */
import { must } from '../../../src/core/index.ts';
import type { CancelAllOrders, Nonce, ScheduleCancel } from '../../../src/domain/index.ts';
import { makeDomain } from '../../../src/wire/crypto/index.ts';
import { createApiWallet } from '../../../src/wire/gateway/index.ts';
import type { ApiWallet } from '../../../src/wire/gateway/signing/api-wallet.ts';
import {
  composeWrite,
  encodeCommand,
  planWrite,
  type WriteContext,
} from '../../../src/wire/protocol/index.ts';
import type { World } from '../types.ts';

const IP = '10.99.0.1';

/** One such writer. */
export class SecondWriter {
  readonly #world: World;
  readonly #wallet: ApiWallet;
  readonly #context: WriteContext;

  private constructor(world: World, wallet: ApiWallet) {
    this.#world = world;
    this.#wallet = wallet;
    this.#context = {
      signingAccountId: world.account.accountId,
      market: () => undefined,
      marketById: () => undefined,
    };
  }

  /** With the key of a wallet of the bot, chosen by a number in [0, 1); `undefined` before there is one. */
  static of(world: World, choice: number): SecondWriter | undefined {
    const { crypto, exchange } = world;
    const wallets = world.wallets();
    if (wallets.length === 0) return undefined;
    const { key } = must(wallets[Math.floor(choice * wallets.length)], 'a wallet');
    const domain = makeDomain(crypto, exchange.settings.domain);
    return new SecondWriter(world, createApiWallet({ crypto, key, domain }));
  }

  /** The next nonce of the scope, as the exchange tells it. */
  async nonce(): Promise<Nonce | undefined> {
    const { address, subaccount } = this.#world.account;
    const query = new URLSearchParams({
      address,
      subaccount: String(subaccount),
      signer: this.#wallet.address,
    });
    const body = await this.#ask('GET', `/v1/account/nonce?${query}`, '');
    const { nonce } = JSON.parse(body === '' ? '{}' : body);
    return nonce === undefined ? undefined : (BigInt(nonce) as Nonce);
  }

  /** Signs and sends a write with this nonce. True when it was executed, now or in a moment. */
  async write(command: CancelAllOrders | ScheduleCancel, nonce: Nonce): Promise<boolean> {
    const { path, canonical, body } = planWrite(command, this.#context, this.#world.clock.nowMs());
    const bytes = encodeCommand(canonical);
    const signature = this.#wallet.prepare(bytes, nonce).sign();
    const text = composeWrite(body, {
      account: this.#world.account.address,
      subaccount: this.#world.account.subaccount,
      nonce,
      signature,
      signer: this.#wallet.address,
    });
    const answer = await this.#ask('POST', path, text);
    return answer !== '' && !answer.startsWith('{"error"');
  }

  /** Text of the answer; empty when it was lost or refused. */
  async #ask(method: 'GET' | 'POST', path: string, body: string): Promise<string> {
    const { exchange } = this.#world;
    const headers = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const reply = await exchange.handle({
      method,
      path: `${exchange.settings.basePath}${path}`,
      headers,
      body,
      ip: IP,
    });
    return reply === 'lost' || reply.status >= 400 ? '' : reply.body;
  }
}
