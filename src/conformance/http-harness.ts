/** @module Control of an exchange that serves `/control` on its own origin: `ballast sim` on this machine. */
import { type Clock, formatJson, silentLog, silentMeter } from '../core/index.ts';
import { createNetworkTransport, parseBaseUrl, type Transport } from '../wire/gateway/index.ts';
import { ReceivedAnswer } from './answer.ts';
import { Deviation, NotOffered } from './expect.ts';
import { Harness } from './harness.ts';

/** Moving the clock by an hour runs 36,000 blocks. */
const ACTION_MS_MAX = 30_000;

/** The harness over `baseUrl`, `undefined` when no control is served there. */
export async function openHttpHarness(baseUrl: string, clock: Clock): Promise<Harness | undefined> {
  const transport = createNetworkTransport(parseBaseUrl(baseUrl), {
    clock,
    log: silentLog,
    meter: silentMeter,
  });
  const state = await ask(transport, 'state', {}).catch(() => undefined);
  if (state === undefined || state.status !== 200 || state.at('epoch') === undefined) {
    await transport.close?.();
    return undefined;
  }
  return Harness.open({
    run: async (action, parameters) => resultOf(await ask(transport, action, parameters)),
    close: async () => transport.close?.(),
  });
}

async function ask(transport: Transport, action: string, parameters: object): Promise<ReceivedAnswer> {
  const answer = await transport.request({
    method: 'POST',
    path: `/control/${action}`,
    headers: { 'content-type': 'application/json' },
    body: formatJson(parameters),
    timeoutMs: ACTION_MS_MAX,
  });
  if (answer.kind !== 'answer') throw new Deviation(`control ${action}`, 'an answer', answer.why);
  return new ReceivedAnswer(`control ${action}`, answer);
}

/** @throws NotOffered when this exchange was made without what the action needs. */
function resultOf(answer: ReceivedAnswer): unknown {
  if (answer.status === 200) return answer.value;
  if (answer.status === 404 || answer.status === 409)
    throw new NotOffered(`${answer.about}: ${answer.text('error.message')}`);
  throw new Deviation(answer.about, 'status 200', `${answer.status} ${answer.body.slice(0, 300)}`);
}
