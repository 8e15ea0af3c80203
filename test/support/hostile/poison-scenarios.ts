/** @module Scenarios of contents: numbers far beyond the log, holes in histories, truth in other words. */
import { pause } from '../processes.ts';
import {
  AFTER_OUTAGE_S,
  AUDIT_S,
  answer,
  answering,
  at,
  edited,
  FAR_SEQ,
  hitting,
  isAnyOf,
  isOf,
  isOrder,
  lasting,
  reconnecting,
  requests,
  scenariosOf,
} from './faults.ts';
import type { Json, ProxyAnswer, RequestFault } from './proxy.ts';

/** In the order in which they run. */
export const POISON_SCENARIOS = scenariosOf((add) => {
  // Numbers and texts that are wrong.
  for (const channel of ['fills', 'positions', 'orders', 'account', 'ledger', 'book'])
    add(
      'poison',
      `far-seq-${channel}`,
      `one frame of ${channel} has a seq far beyond the log`,
      hitting({ on: isOf(channel), to: (frame) => [{ ...frame, seq: FAR_SEQ }] }),
      { withinS: AUDIT_S },
    );
  const lagged = (upper: unknown) => ({ channel: 'lagged', data: { dropped: 3, epoch: 'x', upper } });
  add(
    'poison',
    'lagged-beyond',
    'lagged names an upper beyond the log',
    async (scene) => {
      const { epoch } = await scene.control('state');
      scene.proxy.say({
        channel: 'lagged',
        data: { dropped: 3, epoch, upper: `${FAR_SEQ}-65535-4294967295` },
      });
      await pause(500);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'poison',
    'lagged-elsewhere',
    'lagged names another ledger',
    async (scene) => {
      scene.proxy.say(lagged('1-65535-4294967295'));
      await pause(500);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'poison',
    'lagged-nonsense',
    'lagged names no position at all',
    async (scene) => {
      scene.proxy.say(lagged(null), lagged('-'), { channel: 'lagged' });
      await pause(500);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add('poison', 'garbage-frames', 'frames are no JSON, no text, or of no channel', async (scene) => {
    scene.proxy.say(
      '{',
      '',
      'null',
      '[]',
      '{"channel":"nonsense"}',
      '{"channel":"fills"}',
      '{"__proto__":{"x":1}}',
      Buffer.from([0, 255, 1]),
    );
    await pause(500);
  });
  add(
    'poison',
    'huge-frame',
    'a frame of 20 MB',
    async (scene) => {
      scene.proxy.say(`{"channel":"book","data":"${'x'.repeat(20_000_000)}"}`);
      await pause(500);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'poison',
    'other-epoch-frame',
    'one frame of the account names another ledger',
    hitting({ on: isOf('account', 'positions'), to: (frame) => [{ ...frame, epoch: 'k1-1' }] }),
    { withinS: AUDIT_S },
  );
  add(
    'poison',
    'other-request-id',
    'the answer to a write names another request',
    requests({ on: isOrder, after: edited((body) => ({ ...body, requestId: `0x${'ab'.repeat(32)}` })) }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'poison',
    'far-seq-answer',
    'the answer to a write has a seq far beyond the log',
    requests({ on: isOrder, after: edited((body) => ({ ...body, seq: FAR_SEQ })) }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'poison',
    'far-seq-read',
    'reads of the account have a seq far beyond the log',
    (scene) =>
      reconnecting(scene, {
        on: at(/\/account/),
        after: edited((body) => (body.seq === undefined ? body : { ...body, seq: FAR_SEQ })),
      }),
    { withinS: AUDIT_S },
  );
  add(
    'poison',
    'far-upper',
    'a history page names an upper beyond the log',
    (scene) =>
      reconnecting(scene, {
        on: at(/\/(?:fills|ledger)$/),
        after: edited((body) => ({ ...body, upper: `${FAR_SEQ}-65535-4294967295` })),
      }),
    { withinS: AUDIT_S },
  );
  add(
    'poison',
    'other-epoch-answer',
    'the answer to a write names another ledger',
    requests({ on: isOrder, after: edited((body) => ({ ...body, epoch: 'k1-1' })) }),
    { withinS: AUDIT_S },
  );

  // Histories.
  const pages = /\/(?:fills|ledger)$/;
  for (const kind of ['fills', 'ledger'])
    add(
      'history',
      `hole-${kind}`,
      `the page of ${kind} after a gap lacks its newest entries`,
      (scene) =>
        reconnecting(scene, {
          on: at(new RegExp(`/${kind}$`)),
          after: edited((body) => ({ ...body, data: body.data?.slice(0, -1) })),
          times: 1,
        }),
      { withinS: AUDIT_S },
    );
  for (const [name, channel, what] of [
    ['hole-in-all', 'fills', 'a fill'],
    ['hole-in-ledger', 'ledger', 'an entry of the ledger'],
  ] as const)
    add(
      'history',
      name,
      `${what} that was lost is in no page for 15 s, whatever is read`,
      async (scene) => {
        const lost = new Set<unknown>();
        const lacking = scene.proxy.requests({
          on: at(new RegExp(`/${channel}$`)),
          after: edited((body) => ({
            ...body,
            data: body.data?.filter(({ id }: { readonly id?: unknown }) => !lost.has(id)),
          })),
        });
        const frames = scene.proxy.frames({
          on: isOf(channel),
          to: (frame) => {
            lost.add(frame.data?.id);
            return [];
          },
          times: 1,
        });
        await scene.hit(frames, 1);
        await scene.during(15_000, lacking);
      },
      { withinS: AUDIT_S },
    );
  add(
    'history',
    'cursor-beyond',
    'the cursor of a page lies beyond what it lacks',
    (scene) =>
      reconnecting(scene, {
        on: at(pages),
        after: edited((body) => ({ ...body, data: [], hasMore: false })),
        times: 2,
      }),
    { withinS: AUDIT_S },
  );
  add(
    'history',
    'endless-pages',
    'pages are empty and promise more',
    (scene) =>
      reconnecting(scene, {
        on: at(pages),
        after: edited((body) => ({ ...body, data: [], hasMore: true, next: body.next ?? '1-0-0' })),
      }),
    { withinS: AUDIT_S },
  );
  add(
    'history',
    'same-page',
    'a page comes again and again',
    (scene) => {
      let first: ProxyAnswer | undefined;
      return reconnecting(scene, {
        on: at(/\/fills$/),
        after: (one) => (first ??= edited((body) => ({ ...body, hasMore: true }))(one)),
      });
    },
    { withinS: AUDIT_S },
  );
  add(
    'history',
    'history-unavailable',
    'history answers 503 for 4 s',
    (scene) =>
      reconnecting(scene, {
        on: at(pages),
        before: () => answer(503, '{"error":{"code":"history_unavailable","num":1,"message":"gap"}}'),
      }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'history',
    'history-gaps',
    'the history has a gap for 4 s',
    async (scene) => {
      const { seq } = await scene.control('state');
      await scene.control('history-gaps', { gaps: [{ first: seq, last: seq + 20 }] });
      await reconnecting(scene);
      await scene.control('history-gaps', { gaps: [] });
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'history',
    'pending-history',
    'results stay out of history for 2 s',
    async (scene) => {
      await scene.control('durability-lag', { lag: '2s' });
      await reconnecting(scene);
      await scene.control('durability-lag', { lag: '0ms' });
    },
    { withinS: AFTER_OUTAGE_S },
  );

  // Thin and otherwise named answers: truth in other words.
  const renamed = (from: string, to: string) =>
    edited((body) => {
      const { [from]: value, ...rest } = body;
      return value === undefined ? body : { ...rest, [to]: value };
    });
  const named = (name: string, fault: string, ...faults: readonly RequestFault[]): void =>
    add('names', name, fault, (scene) => reconnecting(scene, ...faults), { withinS: AFTER_OUTAGE_S });
  named(
    'pages-by-kind',
    'histories list fills and entries in place of data',
    { on: at(/\/fills$/), after: renamed('data', 'fills') },
    { on: at(/\/ledger$/), after: renamed('data', 'entries') },
  );
  named('no-unrealized', 'positions come without unrealizedPnl', {
    on: at(/\/positions$/),
    after: edited((body) => ({
      ...body,
      positions: body.positions?.map(({ unrealizedPnl: _, ...one }: Json) => one),
    })),
  });
  named('no-seq-in-reads', 'reads of the account have their seq in the header alone', {
    on: at(/\/account(?:\/positions|\/orders)?$/),
    after: (one) => ({
      ...renamed('seq', '_')(one),
      headers: { ...one.headers, 'x-svc-seq': String(JSON.parse(one.text).seq) },
    }),
  });
  add(
    'names',
    'status-ok',
    'writes are answered with status ok',
    answering(4_000, {
      on: isOrder,
      after: edited((body) => (body.status === 'executed' ? { ...body, status: 'ok' } : body)),
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'names',
    'thin-ends',
    'orders that end are reported by number and status alone',
    lasting(4_000, {
      on: (frame) => isOf('orders')(frame) && frame.data?.status !== 'open',
      to: (frame) => [{ ...frame, data: { orderId: frame.data.orderId, status: frame.data.status } }],
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'names',
    'thin-positions',
    'positions come on the stream without unrealizedPnl',
    lasting(4_000, {
      on: isAnyOf('positions'),
      to: (frame) => [
        {
          ...frame,
          data: { positions: frame.data.positions?.map(({ unrealizedPnl: _, ...one }: Json) => one) },
        },
      ],
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'names',
    'epoch-in-data',
    'acknowledgements have their epoch inside of data',
    async (scene) => {
      const fault = scene.proxy.frames({
        on: isAnyOf('subscribed'),
        to: ({ epoch, ...frame }) => [{ ...frame, data: { ...frame.data, epoch } }],
      });
      scene.proxy.closeStreams(1012);
      await scene.during(4_000, fault);
    },
    { withinS: AFTER_OUTAGE_S },
  );
  for (const name of ['codecVer', 'codec_ver'])
    add(
      'names',
      `codec-${name}`,
      `the codec is named ${name}`,
      answering(6_000, {
        on: at(/\/exchange$/),
        after: edited((body) => ({
          ...body,
          version: { ...body.version, codecVersion: undefined, [name]: body.version?.codecVersion },
        })),
      }),
      { withinS: AFTER_OUTAGE_S },
    );
});
