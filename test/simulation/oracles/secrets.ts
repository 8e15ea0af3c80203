/**
 * @module
 * I16: no private key of the run stands in any byte that leaves the bot or stays behind it: requests, frames, rows, audit,
 * log; in none of the usual encodings. What comes from the exchange is not looked at: it never had an API wallet's key.
 */
import { formatJson } from '../../../src/core/index.ts';
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I16'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  let keys = 0;
  let canary: RegExp | undefined;
  let isEmitted = false;
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life') {
        // Wallets are made in the first life, and again when a grant is gone.
        const secrets = world.secrets();
        if (secrets.length === keys) return;
        keys = secrets.length;
        canary = new RegExp(secrets.flatMap(encodingsOf).join('|'), 'i');
        return;
      }
      if (canary === undefined || isEmitted) return;
      const text = textOf(sight);
      if (text === undefined || !canary.test(text)) return;
      isEmitted = true;
      world.violate('I16', `a private key stands in a sight of kind ${sight.kind}`);
    },
  };
}

/** A key as hex, as hex of the reversed bytes, decimal, base64 and as a list of bytes. */
export function encodingsOf(key: string): readonly string[] {
  const hex = key.replace(/^0x/, '').toLowerCase();
  const bytes = Buffer.from(hex, 'hex');
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [
    hex,
    Buffer.from(bytes).reverse().toString('hex'),
    [...hex].reverse().join(''),
    BigInt(`0x${hex}`).toString(),
    base64.replaceAll('+', '[+-]').replaceAll('/', '[/_]'),
    [...bytes].join(',\\s*'),
  ];
}

/** Everything of a sight that the bot wrote. */
function textOf(sight: Sight): string | undefined {
  switch (sight.kind) {
    case 'request':
      return `${sight.path} ${Object.values(sight.headers).join(' ')} ${sight.body}`;
    case 'sent':
      return sight.text;
    case 'recorded':
      return sight.body;
    case 'audit':
      return formatJson(sight.event.fields);
    case 'log':
      return `${sight.message} ${formatJson(sight.fields)}`;
    default:
      return undefined;
  }
}
