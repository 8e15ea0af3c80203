/** Two bots of one machine at one gateway whose budget is tight: each keeps to its share, and has all when the other is killed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveRig, type RigBot } from '../support/live-rig.ts';
import { until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
/** Of a window, for both: a start of each fits, and quotes use the rest up within seconds. */
const QUOTA = 400;
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 57, accounts: 2 });
});

afterAll(async () => {
  await rig?.end();
});

interface Budget {
  readonly budget: string;
  readonly sharers: number;
  readonly with: readonly { readonly name: string }[];
}

/** What the door of the newest run of `bot` answers; `undefined`: it does not. */
async function ask(bot: RigBot, path: string): Promise<string | undefined> {
  try {
    const folder = join(bot.folder, 'tapes');
    const [run = ''] = readdirSync(folder);
    const { baseUrl, token } = JSON.parse(readFileSync(join(folder, run, 'control.json'), 'utf8'));
    const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}

async function requestsOf(bot: RigBot): Promise<Budget | undefined> {
  const text = await ask(bot, '/status');
  if (text === undefined) return undefined;
  const { budgets } = JSON.parse(text) as { readonly budgets: readonly Budget[] };
  return budgets.find(({ budget }) => budget === 'ip');
}

async function metric(bot: RigBot, name: string): Promise<number | undefined> {
  const text = await ask(bot, '/metrics');
  const line = text?.split('\n').find((one) => one.startsWith(`ballast_${name} `));
  return text === undefined ? undefined : Number(line?.split(' ')[1] ?? 0);
}

describe.skipIf(!isLinux)('two bots behind one address', () => {
  test('stay inside its budget together, and one that is killed gives its share back', async () => {
    const limited = await fetch(`${rig.baseUrl}/control/rate-limit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bucket: 'ip', quota: QUOTA }),
    });
    expect(limited.status, await limited.text()).toBe(200);
    const record = { record: { enabled: true, folder: 'tapes' } };
    const first = await rig.bot('first', record);
    const second = await rig.bot('second', record);
    const runs = [first.run(), second.run()] as const;
    const shared = async (bot: RigBot, sharers: number) => {
      const found = await requestsOf(bot);
      return found?.sharers === sharers ? found : undefined;
    };
    const withinMs = 120_000;
    const words = () => `${runs[0].errors}\n${runs[1].errors}`;
    for (const [bot, other] of [
      [first, 'second'],
      [second, 'first'],
    ] as const) {
      const found = await until(
        () => `a shared budget\n${words()}`,
        () => shared(bot, 2),
        { withinMs },
      );
      expect(found.with).toMatchObject([{ name: other }]);
    }
    const isPaced = async (bot: RigBot) => ((await metric(bot, 'gateway_rate_limit_waits_total')) ?? 0) > 0;
    await until(
      'both to wait for their share',
      async () => (await isPaced(first)) && (await isPaced(second)),
      {
        withinMs,
      },
    );
    for (const bot of [first, second]) expect(await metric(bot, 'gateway_rate_limited_total')).toBe(0);

    const worker = await runs[1].worker();
    process.kill(worker.pid, 'SIGKILL');
    await until('the share of the killed one', () => shared(first, 1), { withinMs });
    runs[0].signal('SIGTERM');
    expect(await runs[0].toEnd(120_000), runs[0].errors).toMatchObject({ signal: null });
    await runs[1].toEnd(30_000);
  });
});
