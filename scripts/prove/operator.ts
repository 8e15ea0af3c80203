/**
 * The path of a first operator, with real processes against an exchange of its own: keys that a wallet elsewhere
 * approves, the doctor, a live run under its guardian that is looked at, changed, paused, resumed, halted by a loss limit
 * and started again, flattened, stopped, explained and attested. What each command says, its document and its exit code
 * are held against what they must be and against the records of the exchange.
 *
 * Usage: npm run prove -- operator [--seed 1]
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDED, LiveRig, ladder, type RigBot } from '../../test/support/live-rig.ts';
import { type TestProcess, until } from '../../test/support/processes.ts';
import { Webhook } from '../../test/support/webhook.ts';
import { readOptions, whole } from '../options.ts';
import { type Fact, type Said, Steps, WrongStep } from './operator/steps.ts';

const NAME = 'first';
const FILE = `${NAME}.yaml`;
/** Nearly every loss is more than this. */
const TINY = { maxDrawdown: '0.0001%', haltLossRatio: 1 };
/** What {@link TINY} allows of the capital below, USD. */
const TINY_LOSS = 0.01;
/** How often a run that has lost nothing trades on. */
const ROUNDS = 20;
const RISK = {
  capital: 10_000,
  minSwitchTimeLeft: '1s',
  maxSameSideFillsPer10s: 1000,
  maxTurnoverPer10s: '10000%',
};
/** Small, at the touch, and moved at most once a second: it fills soon, and is not slowed down. */
const CALM = {
  ...{ levels: 2, size: 0.003, maxInventory: 0.03, touch: 'join', halfSpreadPpm: 350 },
  ...{ minHalfSpreadPpm: 1, levelSpacingPpm: 100, skewPpm: 150, requoteTicks: 2, requoteInterval: '1s' },
};
/** Longest wait for what the market or a person's command brings about, ms. */
const WAIT_MS = 20_000;

interface Scene {
  readonly steps: Steps;
  readonly rig: LiveRig;
  readonly bot: RigBot;
  readonly hook: Webhook;
}

/** Walks the path. @throws WrongStep at the first step that is wrong. */
async function walk(scene: Scene): Promise<void> {
  await keys(scene);
  await preflight(scene);
  const first = await started(scene);
  const gapAtMs = await operate(scene);
  const asked = await traded(scene);
  await lost(scene);
  await stopped(scene, first, 0);
  await explained(scene, { ...asked, gapAtMs });
  await attested(scene, 'first.attest.json');
  await kept(scene, await halted(scene));
}

/** Keys are made here and approved elsewhere. */
async function keys({ steps, rig, bot }: Scene): Promise<void> {
  const addresses = new Map<string, string>();
  const made = await steps.text(['keys', 'new', 'maker.key'], { has: ['mode 600', 'ballast keys approve'] });
  addresses.set('maker', /^(0x[0-9a-fA-F]{40}) /.exec(made.text)?.[1] ?? '');
  const guard = await steps.json(['keys', 'new', 'guard.key'], (document) => [
    ['file', document.file, join(bot.folder, 'guard.key')],
  ]);
  addresses.set('guard', guard.json.address);
  await steps.text(['keys', 'new', 'maker.key'], { code: 78, has: ['CONFIG_KEY_FILE_EXISTS', 'remedy'] });
  const modes = ['maker', 'guard'].map((name) => statSync(join(bot.folder, `${name}.key`)).mode & 0o777);
  steps.facts('the key files', [['modes', modes, [0o600, 0o600]]]);
  await steps.text(['keys', 'list', FILE], { has: ['no API wallet is approved'] });
  for (const [name, address] of addresses) {
    const grant = `${name}.grant.json`;
    const approve = ['keys', 'approve', FILE, '--offline', grant];
    const offline = [...approve, '--wallet', name, '--days', '7'];
    const has = [`lets ${address} (${name}) trade`, 'no withdrawals', '--signature 0x'];
    if (name === 'maker') await steps.text(offline, { has });
    else
      await steps.json(offline, (document) => [
        ['agent', document.agent, address],
        ['change', document.change, 'approve'],
      ]);
    const typedData = JSON.parse(readFileSync(join(bot.folder, grant), 'utf8'));
    steps.facts(`what the wallet reads in ${grant}`, [
      ['primaryType', typedData.primaryType, 'ApproveAgent'],
      ['agent', String(typedData.message.agent).toLowerCase(), address.toLowerCase()],
    ]);
    const signature = await signedElsewhere({ rig, bot }, grant);
    if (name === 'maker')
      await steps.text([...approve, '--signature', signature], {
        has: [`${name} ${address}: approved until`, 'receipt 0x'],
      });
    else
      await steps.json([...approve, '--signature', signature], ({ grants }) => [
        ['grants', grants.length, 1],
        ['address', grants[0].address, address],
      ]);
    await steps.text([...approve, '--signature', signature], {
      code: 77,
      has: ['PREFLIGHT_GRANT_REQUEST_STALE', 'remedy'],
    });
  }
  await steps.text(['keys', 'list', FILE], {
    has: [...addresses].map(([name, one]) => `${name} ${one}: until`),
  });
  await steps.json(['keys', 'list', FILE], ({ grants }) => [['grants', grants.length, 2]]);
}

/** The signature of the main wallet, whose key no process of ballast has. */
async function signedElsewhere({ rig, bot }: Pick<Scene, 'rig' | 'bot'>, grant: string): Promise<string> {
  const script = join(import.meta.dirname, 'operator', 'wallet.ts');
  const wallet = rig.processes.start(process.execPath, [script, join(bot.folder, grant)], {
    fd3: bot.account.privateKey,
  });
  const { code } = await wallet.toEnd(WAIT_MS);
  const [signature] = wallet.lines;
  if (code !== 0 || signature === undefined)
    throw new WrongStep(`expected a signature of the wallet, got exit code ${code}\n${wallet.errors}`);
  return signature;
}

async function preflight({ steps, hook }: Scene): Promise<void> {
  await steps.text(['doctor', FILE], {
    has: ['nothing keeps this configuration from running with --mode live'],
  });
  await steps.json(['doctor', FILE], ({ ok, rows }) => [
    ['ok', ok, true],
    ['at least 25 checks', rows.length >= 25, true],
    ['failed', rows.filter((row: { status: string }) => row.status === 'fail').length, 0],
  ]);
  await steps.text(['alerts', 'test', FILE], { has: [/ok +desk/] });
  await steps.json(['alerts', 'test', FILE], ({ ok }) => [['ok', ok, true]]);
  steps.facts('the webhook', [['tests told', toldOf(hook, 'test').length, 2]]);
}

function toldOf(hook: Webhook, kind: string): readonly string[] {
  return hook.told('/desk').filter((one) => one.startsWith(`${kind} `));
}

/** Starts the bot, and waits until it quotes and takes commands. */
async function started(
  { steps, bot }: Scene,
  { isQuoting = true }: { readonly isQuoting?: boolean } = {},
): Promise<TestProcess> {
  const run = steps.start('run', FILE, '--mode', 'live', '--json');
  const isOpen = async () => {
    if (run.end !== undefined)
      throw new WrongStep(
        `run: ended with ${JSON.stringify(run.end)}\n${run.lines.join('\n')}\n${run.errors}`,
      );
    return (await steps.ask('status', NAME)).code === 0;
  };
  await until('the run to take commands', isOpen, { withinMs: WAIT_MS });
  if (isQuoting) {
    const orders = await bot.quoting(run);
    steps.seen('run --mode live', `${orders.length} orders at the exchange`);
  } else steps.seen('run --mode live', 'it takes commands');
  const folder = (await steps.ask('runs', '--json')).json.runs[0].folder;
  await until('the door of its guardian', () => existsSync(join(folder, 'guardian.json')), {
    withinMs: WAIT_MS,
  });
  steps.seen('its guardian', 'guardian.json is the door of it');
  return run;
}

/** Reads and changes a run that trades. When it was paused, Unix ms. */
async function operate({ steps, bot, hook }: Scene): Promise<number> {
  await steps.text(['runs'], { has: [NAME, 'live'] });
  await steps.json(['runs'], ({ runs }) => [
    ['names', runs.map(({ name }: { name: string }) => name), [NAME]],
  ]);
  await steps.text(['status'], { has: [/run +\S+ of first, live/, /equity +[0-9]/, /strategy +ladder/] });
  await steps.json(['status', NAME], (document) => [
    ['trading', document.trading.state, 'active'],
    ['halts', document.halts, []],
    ['levels', String(document.strategies[0].parameters.levels), '2'],
  ]);
  await steps.text(['orders'], { has: [/^(?:MARKET|no open orders)/] });
  await steps.json(['orders'], ({ orders }) => [['a list', Array.isArray(orders), true]]);
  await steps.text(['positions'], { has: ['MARKET'] });
  await steps.text(['set', 'ladder.levels=1', '--reason', 'narrow'], { has: ['2 to 1', 'confirmed'] });
  await steps.json(['set', 'ladder.levels=2', NAME], ({ scope, before, after }) => [
    ['scope', scope, 'strategy ladder'],
    ['before', before, '1'],
    ['after', after, '2'],
  ]);
  await steps.text(['set', 'ladder.levls=1'], { code: 64, has: ['most like it: levels', 'remedy'] });

  await confirmed(steps, ['pause', NAME, '--reason', 'lunch']);
  steps.facts('the exchange while it is paused', [['open orders', await bot.reader.openOrders(), []]]);
  await steps.text(['status'], { has: [/halted +account by operator: .*lunch/] });
  const gapAtMs = Date.now();
  await until(
    'the halt at the webhook',
    () => toldOf(hook, 'halted').length > 0 || toldOf(hook, 'paused').length > 0,
    {
      withinMs: WAIT_MS,
    },
  );
  steps.seen('the webhook', hook.told('/desk').join(', '));
  await steps.text(['alerts', 'list'], { has: ['halted', 'desk', 'sent'] });
  await steps.text(['alerts', 'ack', 'all', '--reason', 'seen'], {});
  await steps.json(['alerts', 'list'], ({ active }) => [
    [
      'acknowledged',
      active.every((one: { acknowledgedBy?: string }) => one.acknowledgedBy !== undefined),
      true,
    ],
  ]);
  await steps.text(['explain', 'now'], { has: ['halted'] });
  await steps.text(['resume'], { code: 64, has: ['reason'] });
  await steps.text(['resume', '--reason', 'back'], { has: ['halted to active', 'confirmed'] });
  await steps.json(['resume', '--reason', 'back'], ({ after, halts }) => [
    ['after', after, 'active'],
    ['halts', halts, []],
  ]);
  return gapAtMs;
}

/** Waits for a fill; it and its order, as the run lists them. */
async function traded({ steps, bot }: Scene): Promise<{ readonly fill: string; readonly order: string }> {
  const fill = await until('a fill', () => newestFill(steps), { withinMs: WAIT_MS, everyMs: 500 });
  await steps.text(['fills'], { has: ['TIME', 'BTC-USD'] });
  const entry = await until(
    `fill ${fill.id} in the history of the exchange`,
    async () => (await bot.reader.history('fills')).find(({ id }) => id === fill.id),
    { withinMs: WAIT_MS },
  );
  steps.facts('the fill at the exchange', [
    ['size', Number(entry['size']), Number(fill.size)],
    ['price', Number(entry['price']), Number(fill.price)],
  ]);
  return { fill: fill.id, order: String(entry['orderId']) };
}

/** Lets the run trade until it is flat and has lost: whether a round wins is the market's luck. */
async function lost({ steps }: Scene): Promise<void> {
  const loss = async () => {
    await until('to be flat', async () => (await steps.ask('flatten', NAME)).code === 0, {
      withinMs: WAIT_MS,
    });
    const { losses }: { losses: readonly { scope: string; drawdown: string }[] } = (
      await steps.ask('status', NAME, '--json')
    ).json;
    return Number(losses.find(({ scope }) => scope === 'account')?.drawdown);
  };
  let amount = await loss();
  for (let round = 1; !(amount > TINY_LOSS); round += 1) {
    if (round > ROUNDS) throw new WrongStep(`expected a loss in ${ROUNDS} rounds, got none`);
    const last = await newestFill(steps);
    await steps.ask('resume', NAME, '--reason', 'nothing is lost');
    const isFilled = async () => (await newestFill(steps))?.id !== last?.id;
    await until('a fill', isFilled, { withinMs: WAIT_MS, everyMs: 500 });
    amount = await loss();
  }
  steps.seen('a loss', `${amount} from the peak`);
}

async function newestFill(
  steps: Steps,
): Promise<{ readonly id: string; readonly size: string; readonly price: string } | undefined> {
  const { code, json } = await steps.ask('fills', NAME, '--json');
  return code === 0 ? json.fills[0] : undefined;
}

/** Flattens and stops the run, and looks at what the exchange has left. */
async function stopped(scene: Scene, run: TestProcess, code: number): Promise<void> {
  const { steps, bot } = scene;
  await confirmed(steps, ['flatten', NAME, '--reason', 'end of day']);
  steps.facts('the exchange after flatten', await nothingLeft(bot));
  await steps.json(['positions'], ({ positions }) => [
    ['open', positions.filter((one: { position: string }) => Number(one.position) !== 0), []],
  ]);
  await ended(scene, run, code);
}

/** Stops the run. */
async function ended({ steps, bot, hook }: Scene, run: TestProcess, code: number): Promise<void> {
  // Who stops a run that a control has halted has not made it good.
  const event = code === 0 ? 'run-ended' : 'run-failed';
  const told = toldOf(hook, event).length;
  await steps.text(['stop', NAME, '--reason', 'done'], { has: ['no order is open, proven'] });
  const end = await run.toEnd(WAIT_MS);
  const document = run.document();
  steps.facts('the end of the run', [
    ['exit code', end.code, code],
    ['open orders', document.openOrders, 0],
    ['unresolved', document.unresolved, 0],
    ['reconciled', document.reconciled, true],
  ]);
  steps.facts('the exchange after stop', [['open orders', await bot.reader.openOrders(), []]]);
  const isTold = () => toldOf(hook, event).length > told;
  await until('its end at the webhook', isTold, { withinMs: WAIT_MS });
  steps.seen('the webhook', hook.told('/desk').at(-1) ?? 'nothing');
  await until('no process of it to live', () => run.members().length === 0, { withinMs: WAIT_MS });
  await steps.text(['runs'], { has: ['ended'] });
  await steps.text(['status', NAME], { code: 64, has: ['OPERATOR_RUN_ENDED', 'remedy'] });
}

async function nothingLeft(bot: RigBot): Promise<readonly Fact[]> {
  const open = (await bot.reader.positions()).filter(({ size }) => Number(size) !== 0);
  return [
    ['open orders', await bot.reader.openOrders(), []],
    ['positions', open, []],
  ];
}

/**
 * An action, with words for people and as a document. On a busy machine an effect may take longer than one answer waits:
 * asked again, it changes nothing.
 */
async function confirmed(steps: Steps, words: readonly string[]): Promise<void> {
  await until(`${words.join(' ')} to be confirmed`, async () => (await steps.ask(...words)).code !== 1, {
    withinMs: WAIT_MS,
  });
  await steps.text(words, { has: ['confirmed'] });
  await steps.json(words, ({ scope, after, isConfirmed }) => [
    ['scope', scope, 'account'],
    ['after', after, 'halted'],
    ['isConfirmed', isConfirmed, true],
  ]);
}

/** A step of an explanation. */
interface Told {
  readonly step: string;
  readonly facts: { readonly id: string; readonly orderId?: string };
}

/** Asks why. */
async function explained(
  { steps, bot }: Scene,
  { fill, order, gapAtMs }: { readonly fill: string; readonly order: string; readonly gapAtMs: number },
): Promise<void> {
  await steps.text(['explain', 'fill', fill], { has: [`fill ${fill}`, 'ledger'] });
  const why = await steps.json(['explain', 'fill', fill], ({ absent }) => [['absent', absent, []]]);
  const told: readonly Told[] = why.json.steps;
  const kept = new Set((await bot.reader.history('ledger')).map(({ id }) => id));
  steps.facts('the fill in the records of the exchange', [
    ['order', told.find(({ step, facts }) => step === 'fill' && facts.id === fill)?.facts.orderId, order],
    ['entries of the ledger', told.some(({ step }) => step === 'ledger'), true],
    [
      'entries that it does not have',
      told.filter(({ step, facts }) => step === 'ledger' && !kept.has(facts.id)),
      [],
    ],
  ]);
  await steps.text(['explain', 'order', order], { has: [`order ${order}`, 'checks', 'receipt'] });
  await steps.json(['explain', 'order', order], ({ absent }) => [['absent', absent, []]]);
  const gap = ['explain', 'gap', 'BTC-USD', 'bid', new Date(gapAtMs).toISOString()];
  await steps.text(gap, { has: ['lunch'] });
  await steps.json(gap, ({ steps: found }) => [
    ['codes', found.map(({ facts }: { facts: { code: string } }) => facts.code), ['haltedByPerson']],
  ]);
  await steps.text(['explain', 'order', '1'], { code: 64, has: ['EXPLAIN_UNKNOWN', 'remedy'] });
}

async function attested({ steps }: Scene, file: string): Promise<void> {
  await steps.text(['attest', NAME, '--out', file], { has: [/residual +0/, 'signed by 0x'] });
  await steps.json(['attest', NAME], ({ statement }) => [['residual', statement.residual, '0']]);
  await steps.text(['attest', 'verify', file], { has: ['every line agrees'] });
  await steps.json(['attest', 'verify', file], ({ isTrue, differences }) => [
    ['isTrue', isTrue, true],
    ['differences', differences, []],
  ]);
}

/** A second life: what a person has closed stays closed, and the limit is below what was lost. All orders until then. */
async function halted(scene: Scene): Promise<readonly string[]> {
  const { steps, bot, hook } = scene;
  bot.configure({ risk: { ...RISK, ...TINY } });
  const before = toldOf(hook, 'halted').length;
  const run = await started(scene, { isQuoting: false });
  const status = await until(
    'a halt by the loss limit',
    async () => {
      const said: Said = await steps.ask('status', NAME, '--json');
      return said.code === 0 && holdersOf(said.json.halts).includes('M4 of account') ? said : undefined;
    },
    { withinMs: WAIT_MS, everyMs: 200 },
  );
  steps.facts('status --json', [['halts', holdersOf(status.json.halts), HELD]]);
  await steps.text(['status'], { has: [/halted +account by M4/] });
  await until('the halt at the webhook', () => toldOf(hook, 'halted').length > before, { withinMs: WAIT_MS });
  steps.seen('the webhook', toldOf(hook, 'halted').join(', '));
  const isEmpty = async () => (await bot.reader.openOrders()).length === 0;
  await until('an empty book', isEmpty, { withinMs: WAIT_MS });
  steps.facts('the exchange after the halt', [['open orders', await bot.reader.openOrders(), []]]);
  const placed = await placedOf(bot);
  await ended(scene, run, 79);
  return placed;
}

/** Who holds what after the first life was flattened and the second has lost too much. */
const HELD = ['M4 of account', 'operator of account'];

function holdersOf(halts: readonly { readonly control: string; readonly scope: string }[]) {
  return halts.map(({ control, scope }) => `${control} of ${scope}`).sort();
}

async function placedOf(bot: RigBot): Promise<readonly string[]> {
  return (await bot.reader.orderHistory()).map(({ orderId }) => orderId).sort();
}

/** A third life, with a limit as before: the halt stands until a person ends it. */
async function kept(scene: Scene, placed: readonly string[]): Promise<void> {
  const { steps, bot } = scene;
  bot.configure({ risk: RISK });
  const run = await started(scene, { isQuoting: false });
  await steps.json(['status', NAME], ({ halts }) => [['halts', holdersOf(halts), HELD]]);
  const since = (await placedOf(bot)).filter((orderId) => !placed.includes(orderId));
  steps.facts('the exchange after the restart', [
    ['open orders', await bot.reader.openOrders(), []],
    ['orders since the halt', since, []],
  ]);
  await steps.text(['resume', NAME, '--reason', 'the limit was a mistake'], {
    has: ['halted to active', 'confirmed'],
  });
  const orders = await bot.quoting(run);
  steps.seen('the exchange after resume', `${orders.length} orders`);
  await stopped(scene, run, 0);
  await attested(scene, 'third.attest.json');
}

if (import.meta.main) {
  const { seed } = readOptions({ seed: whole('Of the exchange', { otherwise: 1 }) });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const rig = await LiveRig.start({ seed });
  const hook = await Webhook.open();
  try {
    const bot = rig.unapprovedBot(NAME, rig.takeAccount(), {
      alerts: { channels: [{ name: 'desk', kind: 'webhook', urlFile: 'desk.url' }] },
      deadMansSwitch: GUARDED,
      record: { enabled: true, folder: 'runs' },
      risk: RISK,
      strategies: [ladder('ladder', { parameters: CALM })],
    });
    writeFileSync(join(bot.folder, 'desk.url'), `${hook.url}/desk\n`, { mode: 0o600 });
    const steps = new Steps({ processes: rig.processes, cwd: bot.folder, env: rig.env(), say });
    try {
      await walk({ steps, rig, bot, hook });
      say(`${steps.count} steps, all as they must be`);
    } catch (error) {
      say(`wrong ${error instanceof WrongStep ? error.message : String(error)}`);
      say(`${steps.count} steps were right before it`);
      process.exitCode = 1;
    }
  } finally {
    hook.close();
    await rig.end();
  }
}
