/**
 * The conformance suite against the embedded exchange over real sockets: all pass.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConformanceExchange } from '../../src/cli/compose/index.ts';
import {
  CHECKS,
  type CheckReport,
  Coverage,
  Harness,
  loadDocument,
  type ReceivedAnswer,
  RULES,
  runConformance,
  sectionOf,
} from '../../src/conformance/index.ts';
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import { INTERFACE_RULES, OBLIGATIONS } from '../contract/rules.ts';
import { operationOf, validateAnswer, validateFrame } from '../support/openapi.ts';

const clock = new SystemClock();
let harness: Harness;
let baseUrl: string;
const reports = new Map<string, CheckReport>();
const coverage = new Coverage(loadDocument());
/** What was said against the document, in sentences. */
const problems = new Set<string>();

const tap = {
  onAnswer(method: string, path: string, answer: ReceivedAnswer): void {
    coverage.onAnswer(method, path, answer);
    if (operationOf(method, path) === undefined || answer.value === undefined) return;
    const [plain] = path.split('?');
    for (const problem of validateAnswer(path, method, answer.status, answer.value))
      problems.add(`${method} ${plain} ${answer.status}: ${problem}`);
  },
  onFrame(frame: unknown): void {
    coverage.onFrame(frame);
    for (const problem of validateFrame(frame)) problems.add(problem);
  },
};

beforeAll(async () => {
  const started = await startConformanceExchange({ clock });
  baseUrl = started.baseUrl;
  harness = await Harness.open(started.control);
  const { checks } = await runConformance({
    baseUrl,
    clock,
    random: seededRandom(1),
    harness,
    tap,
  });
  for (const check of checks) reports.set(check.id, check);
}, 180_000);

afterAll(() => harness.close());

async function read(path: string): Promise<unknown> {
  return (await fetch(baseUrl + path)).json();
}

/** The same exchange behind a name that says production. */
async function startProduction(target: string): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void fetch(target + request.url).then(async (answer) => {
      const text = (await answer.text()).replace('"buildId":"ballast"', '"buildId":"production"');
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', () => listening());
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

describe('the embedded exchange conforms', () => {
  test.each(CHECKS.map(({ id, rule }) => [id, rule]))('%s %s', (id) => {
    const { result, detail } = reports.get(id) ?? { result: 'missing', detail: '' };
    expect([result, detail]).toEqual(['passed', '']);
  });
});

describe('the OpenAPI document', () => {
  test('describes every answer and frame of the run', () => {
    expect([...problems]).toEqual([]);
  });

  test('promises nothing that the run did not show', () => {
    const { missing, seen, total } = coverage.report();
    process.stdout.write(`${seen} of ${total} names of the OpenAPI document seen\n`);
    // Slices that trade are those of time-weighted-orders.test.ts: a check of a foreign gateway lets none trade.
    expect(missing).toEqual(['field Fill.parentOrderId', 'field LedgerEntry.parentOrderId']);
  });
});

describe('a run with the keys of an account alone', () => {
  test('skips what needs control, fails nothing, and leaves no order behind', async () => {
    const { address, apiWallets } = await harness.createAccount({ apiWallets: 1 });
    const [wallet] = apiWallets;
    const report = await runConformance({
      baseUrl,
      clock,
      random: seededRandom(2),
      keys: JSON.stringify({ account: address, apiWallet: wallet?.privateKey }),
    });
    const failed = report.checks.filter(({ result }) => result === 'failed');
    expect(failed.map(({ id, detail }) => [id, detail])).toEqual([]);
    expect(report.passed).toBeGreaterThan(120);
    expect(report.skipped).toBe(CHECKS.filter(({ needs }) => needs === 'control').length);
    const { orders } = (await read(`/v1/account/orders?address=${address}`)) as { orders: unknown[] };
    expect(orders).toEqual([]);
  }, 120_000);

  test('error: an environment that calls itself production is refused, and so are unknown checks', async () => {
    const base = { baseUrl, clock, random: seededRandom(3) };
    await expect(runConformance({ ...base, only: 'GW-NONE' })).rejects.toThrow('"GW-NONE"');
    const server = await startProduction(baseUrl);
    await expect(runConformance({ ...base, baseUrl: server.baseUrl })).rejects.toThrow('production');
    const meant = { ...base, baseUrl: server.baseUrl, only: 'GW-ENV-1', isProductionMeant: true };
    expect((await runConformance(meant)).passed).toBe(1);
    await server.close();
  });
});

describe('rules of checks', () => {
  const known = new Set(
    [...OBLIGATIONS, ...INTERFACE_RULES].flatMap(([, rules]) => rules.map(({ id }) => id)),
  );

  test('each names a contract id that there is', () => {
    const ids = Object.values(RULES).map((rule) => /\(([A-Z0-9-]+)\)$/.exec(rule)?.[1]);
    expect(ids.filter((id) => id === undefined || !known.has(id))).toEqual([]);
  });

  test('each has one check, and each check one rule', () => {
    expect(CHECKS.map(({ id }) => id).sort()).toEqual(Object.keys(RULES).sort());
  });

  test('ids are sections with numbers', () => {
    for (const { id } of CHECKS) expect(sectionOf(id)).toMatch(/^GW-[A-Z]+$/);
  });
});
