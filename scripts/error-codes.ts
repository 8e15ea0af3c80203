/**
 * Finds every error code in the sources: the object literals with a `code` of the form AREA_WHAT, whatever makes an
 * error of them. Reads text, not types: a code is found even where nothing reaches it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One place where a code stands. */
export interface CodeSite {
  readonly code: string;
  readonly file: string;
  /** Class of the error; `undefined` for a code that is a value: a denial, the reason of a halt. */
  readonly className: string | undefined;
  /** What stands after `remedy`, values as `…`; empty when it is not written there. */
  readonly remedy: string;
}

const CODE = /^[A-Z]+(?:_[A-Z0-9]+)+$/;

/** Every place of every code below `folder`, by code and file. */
export function findCodes(root: string, folder = 'src'): readonly CodeSite[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const texts = new Map(files.map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]));
  const sites = files.flatMap((file) => sitesIn(file, texts));
  return sites.sort((a, b) => compare(a.code, b.code) || compare(a.file, b.file));
}

function sitesIn(file: string, texts: ReadonlyMap<string, string>): CodeSite[] {
  const text = texts.get(file) ?? '';
  const sites: CodeSite[] = [];
  for (const match of text.matchAll(/\bcode: (`[^`]*`|[^,;`]*?)(?=,\s|,?\s*\}|\s*\n)/g)) {
    const block = blockAround(text, match.index);
    for (const code of codesOf(match[1] ?? '', text)) sites.push(siteOf(file, code, block, texts));
  }
  // A code that is handed as an argument to what makes an error of it.
  for (const match of text.matchAll(/(?<=[(,]\s*)'([A-Z]+(?:_[A-Z0-9]+)+)',(\s*\{)?/g)) {
    const code = match[1] ?? '';
    if (carrierIn(text) === undefined || sites.some((site) => site.code === code)) continue;
    const isBlock = match[2] !== undefined;
    const block = isBlock
      ? blockAround(text, match.index + match[0].length)
      : { start: match.index, text: '' };
    sites.push(siteOf(file, code, block, texts));
  }
  return sites;
}

/** The codes an expression can have: its literals; a constant of the same file; a template is filled with the words of its parameter's type. */
function codesOf(expression: string, text: string): string[] {
  const plain = [...expression.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
  const constant = /^[A-Z_]+$/.test(expression.trim())
    ? new RegExp(`\\bconst ${expression.trim()} = '([^']*)'`).exec(text)?.[1]
    : undefined;
  if (constant !== undefined) plain.push(constant);
  const template = /^`([A-Z_]*)\$\{(\w+)\}([A-Z_]*)`$/.exec(expression.trim());
  if (template !== null) {
    const [, head = '', name = '', tail = ''] = template;
    const words = new RegExp(`\\b${name}: ((?:'[A-Z]+'(?: \\| )?)+)`).exec(text)?.[1] ?? '';
    for (const word of words.matchAll(/'([A-Z]+)'/g)) plain.push(`${head}${word[1] ?? ''}${tail}`);
  }
  return plain.filter((code) => CODE.test(code));
}

function siteOf(file: string, code: string, block: Block, texts: ReadonlyMap<string, string>): CodeSite {
  const text = texts.get(file) ?? '';
  const own = /(?:new (\w+Error)|\b(super))\(\s*$/.exec(text.slice(0, block.start));
  const remedy = remedyOf(block.text, text);
  if (own !== null) {
    const base = /extends (\w+Error)/.exec(text)?.[1];
    return { code, file, className: own[1] ?? base, remedy };
  }
  const isValue = /\breason\b/.test(block.text) || /^(?:RISK|INTENT)_/.test(code);
  if (isValue) return { code, file, className: undefined, remedy };
  const carrier = carrierOf(file, texts);
  return {
    code,
    file,
    className: carrier?.className ?? 'BotError',
    remedy: remedy || (carrier?.remedy ?? ''),
  };
}

/** The error in the same file, or room, whose code is handed in from elsewhere. */
function carrierOf(
  file: string,
  texts: ReadonlyMap<string, string>,
): { readonly className: string; readonly remedy: string } | undefined {
  const room = file.split('/').slice(0, 2).join('/');
  const own = carrierIn(texts.get(file) ?? '');
  if (own !== undefined) return own;
  for (const [other, text] of texts) {
    const carrier = other.startsWith(`${room}/`) ? carrierIn(text) : undefined;
    if (carrier !== undefined) return carrier;
  }
  return undefined;
}

function carrierIn(text: string): { readonly className: string; readonly remedy: string } | undefined {
  const match = /new (\w+Error)\(\{\s*code(?:: \w+\.code)?,/.exec(text);
  if (match === null) return undefined;
  const block = blockAround(text, match.index + match[0].length);
  return { className: match[1] ?? 'BotError', remedy: remedyOf(block.text, text) };
}

interface Block {
  readonly start: number;
  readonly text: string;
}

/** The innermost braces around `offset`. Braces in strings are balanced in this code base, template values included. */
function blockAround(text: string, offset: number): Block {
  let depth = 0;
  let start = offset;
  for (; start >= 0; start--) {
    if (text[start] === '}') depth++;
    if (text[start] === '{' && depth-- === 0) break;
  }
  let end = start + 1;
  for (depth = 1; end < text.length && depth > 0; end++) {
    if (text[end] === '{') depth++;
    if (text[end] === '}') depth--;
  }
  return { start, text: text.slice(start, end) };
}

/** The words after `remedy:`, up to the next field; of a constant of the file too. */
function remedyOf(block: string, text: string): string {
  const rest = /\bremedy:([\s\S]*)$/.exec(block)?.[1] ?? '';
  const value = /^[\s\S]*?(?=,\s*(?:\w+[,:]|\.\.\.|\}|$)|\s*\}\s*$)/.exec(rest)?.[0] ?? '';
  const words = value.replaceAll(/\b[A-Z][A-Z_]{3,}\b/g, (name) => {
    const constant = new RegExp(`\\bconst ${name} =\\s*('[^']*')`).exec(text);
    return constant?.[1] ?? name;
  });
  const literals = [...words.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)];
  return literals
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .join(' / ')
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\\(.)/g, '$1');
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
