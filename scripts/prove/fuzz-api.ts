/**
 * An API fuzzer from outside: schemathesis reads openapi.yaml and sends what it describes, and what it forbids, to a
 * running `ballast sim`. Fails on a 5xx, on an answer that the document does not describe, on forbidden input that is
 * accepted, and when fewer than half of the writes pass the check of their signature.
 *
 *   npm run prove -- fuzz-api [--examples 10] [--seed 1] [--path /v1/orders]
 *
 * Needs Python 3.10 or later; the environment is made once, in node_modules/.cache.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { textOption } from '../../src/cli/terminal/options.ts';
import { readOptions, whole } from '../options.ts';
import { type FuzzAccount, FuzzSigner } from './fuzz-api/signer.ts';

const SCHEMATHESIS = '4.32.5';
const root = join(import.meta.dirname, '..', '..');
const values = readOptions({
  examples: whole('For each operation', { min: 1, otherwise: 10 }),
  seed: whole('Of the exchange and of the inputs', { otherwise: 1 }),
  path: textOption('Only this one, as /v1/orders'),
});

/** The command of schemathesis, installed if it is not there. */
function installed(): string {
  const folder = join(root, 'node_modules', '.cache', `fuzz-api-${SCHEMATHESIS}`);
  const command = join(folder, 'bin', 'schemathesis');
  if (existsSync(command)) return command;
  mkdirSync(dirname(folder), { recursive: true });
  process.stdout.write(`making a Python environment in ${folder}\n`);
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`], {
    stdio: 'inherit',
  });
  return command;
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const answer = await request(url, { method: 'POST', body: JSON.stringify(body) });
  const json = (await answer.body.json()) as Record<string, unknown>;
  if (answer.statusCode !== 200)
    throw new Error(`expected status 200 of ${url}, got ${answer.statusCode}: ${JSON.stringify(json)}`);
  return json;
}

const command = installed();
const exchange = spawn(
  process.execPath,
  [
    join(root, 'bin', 'ballast.mjs'),
    'sim',
    '--port',
    '0',
    '--json',
    '--seed',
    String(values.seed),
    '--with-parent',
  ],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const [first] = (await once(createInterface({ input: exchange.stdout }), 'line')) as [string];
const { baseUrl, controlUrl } = JSON.parse(first) as { baseUrl: string; controlUrl: string };
for (const bucket of ['ip', 'account'])
  await post(`${controlUrl}/rate-limit`, { bucket, quota: 1_000_000_000 });
const account = await post(`${controlUrl}/account`, { name: 'fuzz', balance: '100000000', apiWallets: 1 });
const signer = await FuzzSigner.open(baseUrl, account as unknown as FuzzAccount, values.seed);
const { url, server } = await signer.serve();

/** One run of schemathesis; true when it found nothing. */
async function fuzz(...options: readonly string[]): Promise<boolean> {
  const args = [
    ...['--config-file', join(root, 'scripts', 'prove', 'fuzz-api', 'schemathesis.toml')],
    ...['run', join(root, 'src', 'wire', 'protocol', 'openapi.yaml'), '--url', baseUrl],
    ...['--checks', 'not_a_server_error,status_code_conformance,content_type_conformance'],
    ...['--checks', 'response_headers_conformance,response_schema_conformance,negative_data_rejection'],
    ...['--phases', 'coverage,fuzzing', '--seed', String(values.seed), '--continue-on-failure', '--no-color'],
    ...['--exclude-path', '/v1/ws', ...(values.path === undefined ? [] : ['--include-path', values.path])],
    ...options,
  ];
  const fuzzer = spawn(command, args, {
    cwd: join(root, 'node_modules', '.cache'),
    stdio: 'inherit',
    env: {
      ...process.env,
      BALLAST_FUZZ_SIGNER: url,
      PYTHONPATH: join(root, 'scripts', 'prove', 'fuzz-api'),
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
    },
  });
  const [code] = (await once(fuzzer, 'exit')) as [number | null];
  return code === 0;
}

// What the document allows, many times over, so that the state of the exchange becomes rich; then what it forbids too.
const count = values.examples;
const isAllowedFine = await fuzz(
  '--mode',
  'positive',
  '--include-method',
  'POST',
  '--max-examples',
  String(10 * count),
);
const isAllFine = await fuzz('--mode', 'all', '--max-examples', String(count));
server.close();
exchange.stdin.end();
await once(exchange, 'exit');
const { posts, passed, byStatus } = signer.tally;
const share = posts === 0 ? 0 : passed / posts;
process.stdout.write(`${JSON.stringify(byStatus, null, 2)}\n`);
process.stdout.write(
  `writes: ${posts}, past the signature check: ${passed} (${(100 * share).toFixed(1)} %)\n`,
);
if (share < 0.5) process.stdout.write('expected at least half of the writes to pass the signature check\n');
process.exit(isAllowedFine && isAllFine && share >= 0.5 ? 0 : 1);
