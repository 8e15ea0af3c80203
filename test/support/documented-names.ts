/**
 * @module
 * Names that pages say in backticks, held to what there is: commands, options, keys of the configuration, exports, members of
 * the SDK. Commands, keys and codes are looked up in generated pages, which other tests hold to the code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HANDLER_NAMES } from '../../src/bot/strategy/index.ts';
import { ROOT } from '../tidy/source.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const DOORS = ['src', 'src/bot/strategy', 'src/client', 'src/exchange', 'src/testing'];

const cli = textOf('docs/reference/cli.md');
const keys = textOf('docs/reference/config.md');
const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Record<string, string> };
const exported = new Set(
  DOORS.flatMap(
    (door) =>
      textOf(`${door}/index.ts`)
        .replaceAll(/\/\*[\s\S]*?\*\//g, '')
        .match(/\w+/g) ?? [],
  ),
);
const sdk = ['context.ts', 'intents.ts', 'bars.ts']
  .map((file) => textOf(`src/bot/strategy/${file}`))
  .join('\n');

/** True if a name in backticks is a command, an option, a key of the configuration or an export. */
export function isNameThatExists(name: string): boolean {
  const [, proof] = /^npm run prove -- (\S+)$/.exec(name) ?? [];
  if (proof !== undefined) return existsSync(join(ROOT, 'scripts/prove', `${proof}.ts`));
  const [, script] = /^npm run (\S+)$/.exec(name) ?? [];
  if (script !== undefined) return script in scripts;
  if (name.startsWith('ballast ')) return cli.includes(`\n## ${name}\n`);
  if (name.startsWith('--')) return new RegExp(`^ +${name}\\b`, 'm').test(cli);
  if (name.includes('.')) return keys.includes(`\n| \`${name}\` |`);
  return exported.has(name);
}

/** True if a name in backticks is a handler, or a member of a context, a view, an order or a rule over bars. */
export function isSdkName(name: string): boolean {
  if ((HANDLER_NAMES as readonly string[]).includes(name)) return true;
  const [, member = ''] = /^(?:(?:context|view|order)\.)?(\w+)/.exec(name) ?? [];
  return new RegExp(`\\b${member}\\??[(:<]`).test(sdk);
}
