/** @module Scenarios of the way: answers lost, cut and replaced, connections that break or stand still. */
import { pause } from '../processes.ts';
import {
  AFTER_OUTAGE_S,
  always,
  answer,
  answering,
  html,
  isAnyOf,
  isOrder,
  isRead,
  isSwitch,
  isWrite,
  lasting,
  nothing,
  reconnecting,
  requests,
  scenariosOf,
} from './faults.ts';

/** In the order in which they run. */
export const ANSWER_SCENARIOS = scenariosOf((add) => {
  // Answers of requests.
  add(
    'answers',
    'lost-answer',
    'the answer to a write is lost',
    requests({ on: isOrder, after: () => 'reset' }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'lost-answers',
    'the answers to ten writes are lost',
    requests({ on: isOrder, after: () => 'reset' }, 5),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'lost-requests',
    'three writes are lost on their way',
    requests({ on: isOrder, before: () => 'reset' }, 3),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'silent-answer',
    'a write is never answered',
    requests({ on: isOrder, after: () => 'hang' }),
    {
      withinS: 30,
    },
  );
  add(
    'answers',
    'cut-answer',
    'answers to three writes end in the middle',
    requests({ on: isOrder, after: (one) => ({ ...one, cutAt: 40 }) }, 3),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'slow-answer',
    'writes are answered after 4 s',
    answering(6_000, {
      on: isOrder,
      after: async (one) => {
        await pause(4_000);
        return one;
      },
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'lost-switch',
    'renewals of the switch are lost for 5 s',
    answering(5_000, { on: isSwitch, before: () => 'reset' }),
    { withinS: AFTER_OUTAGE_S },
  );
  for (const status of [404, 429, 500, 502, 503])
    add(
      'answers',
      `page-${status}`,
      `writes get a page of HTML with ${status} for 3 s`,
      answering(3_000, { on: isWrite, before: () => html(status) }),
      { withinS: AFTER_OUTAGE_S },
    );
  for (const status of [404, 429, 500, 502])
    add(
      'answers',
      `reads-${status}`,
      `reads get a page of HTML with ${status} for 3 s, after a cut`,
      (scene) => reconnecting(scene, { on: isRead, before: () => html(status) }),
      { withinS: AFTER_OUTAGE_S },
    );
  add(
    'answers',
    'all-502',
    'everything gets 502 for 6 s',
    async (scene) => {
      scene.proxy.resetAll();
      scene.proxy.streams((raw) => raw.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
      await answering(6_000, { on: always, before: () => html(502) })(scene);
      scene.proxy.streams();
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'retry-after',
    'writes get 429 with retry-after: 2',
    requests({ on: isOrder, before: () => html(429, { 'retry-after': '2' }) }, 2),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'retry-after-ages',
    'one write gets 429 with retry-after: 86400',
    requests({ on: isOrder, before: () => html(429, { 'retry-after': '86400' }) }),
    { withinS: 90 },
  );
  add(
    'answers',
    'replica-behind',
    'five writes get 412',
    requests(
      {
        on: isOrder,
        before: () => answer(412, '{"error":{"code":"ReplicaBehind","num":1,"message":"behind"}}'),
      },
      5,
    ),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'empty-answer',
    'writes are answered with 200 and nothing',
    requests({ on: isOrder, after: (one) => ({ ...one, text: '' }) }, 2),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'answers',
    'foreign-json',
    'writes are answered with 200 and other JSON',
    requests({ on: isOrder, after: (one) => ({ ...one, text: '{"ok":true}' }) }, 2),
    { withinS: AFTER_OUTAGE_S },
  );
  add('answers', 'sent-twice', 'each write is delivered twice', async (scene) => {
    await scene.control('fault', { kind: 'deliverTwice', path: '/v1/orders/*', times: 20 });
    await pause(3_000);
    await scene.control('clear-faults');
  });

  // Connections.
  add('connections', 'reset-all', 'all connections are reset', async (scene) => {
    scene.proxy.resetAll();
  });
  add(
    'connections',
    'reset-often',
    'all connections are reset each half second for 5 s',
    async (scene) => {
      for (let n = 0; n < 10; n++) {
        scene.proxy.resetAll();
        await pause(500);
      }
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'connections',
    'half-open',
    'connections carry nothing any more, and nothing says so',
    async (scene) => {
      scene.proxy.halfOpen();
    },
    { withinS: 45 },
  );
  add(
    'connections',
    'black-hole',
    'nothing passes for 6 s',
    async (scene) => {
      scene.proxy.blackHole(true);
      await pause(6_000);
      scene.proxy.blackHole(false);
    },
    { withinS: AFTER_OUTAGE_S, isUnfit: true },
  );
  add(
    'connections',
    'slow-loris',
    'answers come byte by byte for 6 s',
    answering(6_000, { on: always, after: (one) => ({ ...one, byteEveryMs: 150 }) }),
    { withinS: 30 },
  );
  add(
    'connections',
    'garbage',
    'answers are no HTTP for 3 s',
    answering(3_000, {
      on: always,
      before: () => ({ status: 0, headers: {}, text: '', raw: Buffer.from('\0\x01\x02garbage\r\n\r\n') }),
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'connections',
    'tls-alert',
    'answers are an alert of TLS for 3 s',
    answering(3_000, {
      on: always,
      before: () => ({ status: 0, headers: {}, text: '', raw: Buffer.from([21, 3, 3, 0, 2, 2, 70]) }),
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'connections',
    'no-upgrade',
    'upgrades are refused for 5 s',
    async (scene) => {
      scene.proxy.streams((raw) => raw.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n'));
      scene.proxy.closeStreams(1012);
      await pause(5_000);
      scene.proxy.streams();
    },
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'connections',
    'silent-upgrade',
    'upgrades are never answered for 5 s',
    async (scene) => {
      scene.proxy.streams(() => undefined);
      scene.proxy.closeStreams(1012);
      await pause(5_000);
      scene.proxy.streams();
    },
    { withinS: 45 },
  );
  for (const code of [1000, 1008, 1011, 4000])
    add('connections', `closed-${code}`, `streams are closed with code ${code}`, async (scene) =>
      scene.proxy.closeStreams(code),
    );
  add(
    'connections',
    'no-pongs',
    'pings get no pong for 8 s',
    lasting(8_000, { on: isAnyOf('pong'), to: nothing }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'connections',
    'unsubscribed',
    'subscriptions are not confirmed for 5 s',
    async (scene) => {
      const fault = scene.proxy.frames({ on: isAnyOf('subscribed'), to: nothing });
      scene.proxy.closeStreams(1012);
      await scene.during(5_000, fault);
    },
    { withinS: 30 },
  );
});
