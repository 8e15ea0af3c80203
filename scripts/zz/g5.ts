import { Worker } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Client } from 'undici';
import { Child } from '../../bench/child.ts';
import { journalFolder, openCommit } from '../../bench/goals/tick-to-order/commit.ts';
import { openFramework } from '../../bench/goals/tick-to-order/framework.ts';
import { openStacks } from '../../bench/goals/tick-to-order/stacks.ts';
import { BENCH_STREAM, type TickOrder, type TickServerReady } from '../../bench/goals/tick-to-order/wire.ts';

let now = { t0: 0, t2: 0, t3: 0, t4: 0 };
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (this: any, m: any, ...r: any[]) { const x = post.call(this, m, ...r); if (m?.kind === 'append' && m.isLazy === false && now.t2 === 0) now.t2 = performance.now(); return x; } as any;
const emit = Worker.prototype.emit;
Worker.prototype.emit = function (this: any, name: any, m: any, ...r: any[]) { if (name === 'message' && m?.kind === 'durable' && now.t2 !== 0 && now.t3 === 0) now.t3 = performance.now(); return emit.call(this, name, m, ...r); } as any;
const dispatch = (Client as any).prototype.dispatch;
(Client as any).prototype.dispatch = function (this: any, o: any, h: any) { if (o.method === 'POST' && now.t3 !== 0 && now.t4 === 0) now.t4 = performance.now(); return dispatch.call(this, o, h); };
const wsEmit = WebSocket.prototype.emit;
WebSocket.prototype.emit = function (this: any, name: any, ...r: any[]) { if (name === 'message' && now.t0 === 0) now.t0 = performance.now(); return wsEmit.call(this, name, ...r); } as any;

const folder = journalFolder();
const server = new Child(new URL('../../bench/servers/tick-server.ts', import.meta.url));
const { port, account } = await server.next<TickServerReady>();
const origin = `http://127.0.0.1:${port}`;
const ask = (to: 'bench' | 'bot') => server.send({ kind: 'tick', to } satisfies TickOrder);
const commit = await openCommit(folder.path);
const stacks = await openStacks(origin, commit);
const socket = new WebSocket(`ws://127.0.0.1:${port}${BENCH_STREAM}`, { perMessageDeflate: false, skipUTF8Validation: true });
let onFrame = (_: Buffer) => {};
socket.on('message', (d: Buffer) => onFrame(d));
await new Promise((r) => socket.once('open', r));
const framework = await openFramework({ origin, account, folder: folder.path });
const ticks: Record<string, () => Promise<void>> = {
  bare: () => { const p = new Promise<void>((res, rej) => { onFrame = (f) => void stacks.byName['bare']!(f).then(res, rej); }); ask('bench'); return p; },
  ballast: () => framework.order(() => ask('bot')),
};
const rows: Record<string, number[][]> = { bare: [], ballast: [] };
const take = () => server.ask<number[]>({ kind: 'take' } satisfies TickOrder);
for (let burst = 0; burst < 14; burst++) {
  await framework.rested();
  for (let i = 0; i < 300; i++) await ticks['bare']!();
  await take();
  for (const name of burst % 2 ? ['bare', 'ballast'] : ['ballast', 'bare']) {
    for (let i = 0; i < 190; i++) {
      now = { t0: 0, t2: 0, t3: 0, t4: 0 };
      await ticks[name]!();
      if (burst > 5 && i > 40) rows[name]!.push([now.t2 - now.t0, now.t3 - now.t2, now.t4 - now.t3]);
      for (let t = 0; t < 8; t++) await setImmediate();
    }
    const us = await take();
    if (burst > 5) console.log(name, 'server p50', us.slice(40).sort((a, b) => a - b)[75]);
  }
}
const med = (a: number[]) => a.sort((x, y) => x - y)[a.length >> 1]! * 1000;
for (const n of ['bare', 'ballast']) console.log(n, 'frame→append', med(rows[n]!.map((r) => r[0]!)), 'append→durable', med(rows[n]!.map((r) => r[1]!)), 'durable→dispatch', med(rows[n]!.map((r) => r[2]!)));
await framework.close().catch((e) => console.log(String(e))); socket.terminate(); await stacks.close(); await commit.close(); server.stop(); folder.remove();
process.exit(0);
