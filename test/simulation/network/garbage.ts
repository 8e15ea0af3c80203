/**
 * @module
 * Answers that no exchange gives (fault F12): pages of proxies, bodies that are no JSON or not whole, answers from which
 * something is missing or is of another kind. None says in well-formed JSON what is not so: that lies outside the model.
 */
import { isRecord, type Random } from '../../../src/core/index.ts';
import type { FakeAnswer } from '../types.ts';
import { pickOne } from './strikes.ts';

const HTML = { 'content-type': 'text/html' } as const;
const JSON_TYPE = { 'content-type': 'application/json' } as const;
const STATUSES = [200, 202, 400, 403, 404, 409, 412, 422, 429, 500, 502, 503, 504, 520] as const;
const DEPTH = 20_000;

/** The answer of some other machine. */
export function foreignAnswer(draw: Random): FakeAnswer {
  const status = pickOne(draw, STATUSES);
  const bodies: readonly [FakeAnswer, ...FakeAnswer[]] = [
    { status, headers: HTML, body: '<html><body><h1>Attention Required!</h1></body></html>' },
    { status, headers: HTML, body: '' },
    { status, headers: JSON_TYPE, body: '' },
    { status, headers: JSON_TYPE, body: 'null' },
    { status, headers: JSON_TYPE, body: '[]' },
    { status, headers: JSON_TYPE, body: '"executed"' },
    { status, headers: JSON_TYPE, body: '{}' },
    { status, headers: JSON_TYPE, body: '{"error":"rate limited"}' },
    { status, headers: JSON_TYPE, body: '{"error":{"code":42,"message":null}}' },
    { status, headers: JSON_TYPE, body: '{"message":"Forbidden"}' },
    { status, headers: JSON_TYPE, body: `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}` },
    { status, headers: JSON_TYPE, body: '{"__proto__":{"status":"executed"}}' },
    { status, headers: {}, body: '\uFFFD\uFFFD\u0000\u0001' },
  ];
  return pickOne(draw, bodies);
}

/** A redirect, to the exchange itself or to another machine (fault F13). */
export function redirect(draw: Random, path: string): FakeAnswer {
  const status = pickOne(draw, [301, 302, 303, 307, 308] as const);
  const location = pickOne(draw, [path, `http://127.0.0.1:9${path}`, 'http://decoy.invalid/', ''] as const);
  return { status, headers: location === '' ? {} : { location }, body: '' };
}

/** A true answer that was damaged. */
export function damaged(draw: Random, answer: FakeAnswer): FakeAnswer {
  const kind = pickOne(draw, ['truncated', 'type', 'doubled', 'missing', 'other kind'] as const);
  const { headers, body } = answer;
  switch (kind) {
    case 'truncated':
      return { ...answer, body: body.slice(0, draw.integer(0, Math.max(0, body.length - 1))) };
    case 'type':
      return { ...answer, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } };
    case 'doubled':
      // Both say the same: which one counts is no matter of the model.
      return { ...answer, body: body.replace(/^\{("\w+":(?:"[^"]*"|[\w.-]+),)/, '{$1$1') };
    default:
      return { ...answer, body: withoutOne(draw, body, kind === 'other kind') };
  }
}

/** One field of the body is not there, or is something else. */
function withoutOne(draw: Random, body: string, isReplaced: boolean): string {
  const fields = recordOf(body);
  const names = Object.keys(fields ?? {});
  const [first, ...others] = names;
  if (fields === undefined || first === undefined) return '';
  const name = pickOne(draw, [first, ...others]);
  const wrong = typeof fields[name] === 'object' ? 'text' : { was: 'another kind' };
  // `undefined` leaves it out.
  return JSON.stringify({ ...fields, [name]: isReplaced ? wrong : undefined });
}

/** Bodies with numbers that JSON.parse would round are left alone. */
function recordOf(body: string): Record<string, unknown> | undefined {
  if (/[0-9]{16}/.test(body.replace(/"[^"]*"/g, ''))) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
