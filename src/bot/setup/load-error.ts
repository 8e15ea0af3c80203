/**
 * @module
 * What went wrong while a plugin and what it imports were read, linked and run: the location of the error, and a remedy
 * that fits. Node says the location in another way for each kind of error, and not at all for some.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BotError, ConfigError, messageOf, OWN_CODE } from '../../core/index.ts';
import { importsOf, sourcesOf } from './source-hash.ts';

/** What a kind of error is called, and what to do about it. */
interface Kind {
  /** What its message or its code is like. */
  readonly is: RegExp;
  readonly code: string;
  readonly remedy: string;
  /** A better remedy for an error in this file, if there is one. */
  readonly remedyIn?: (file: string) => string | undefined;
}

const SYNTAX_REMEDY = 'Correct the syntax there; a type checker or an editor says more.';
const IMPORTS_TYPE =
  'Types do not exist when a module runs: import one with `import type { ... }`. Of a value, correct the name, or export it there.';

/** The first whose pattern is found in `code message` decides. */
const KINDS: readonly Kind[] = [
  {
    is: /^ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX/,
    code: 'STRATEGY_SYNTAX_NOT_ERASABLE',
    remedy:
      'Types are stripped, not compiled: no enum, no namespace with code, no parameter properties. Use `as const` and plain fields; `erasableSyntaxOnly` in tsconfig finds them.',
  },
  {
    is: /^ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING/,
    code: 'STRATEGY_IN_NODE_MODULES',
    remedy:
      'Node does not strip types below node_modules: publish the strategy as JavaScript, or copy it out.',
  },
  {
    is: /^ERR_PACKAGE_PATH_NOT_EXPORTED/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy:
      'Import what the package exports. Of ballast that is `ballast/strategy`; other modules are not for plugins.',
  },
  {
    is: /Cannot find package '|Cannot find module '[^./'][^']*'\s+Require stack/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy:
      'Install the package beside the strategy, or correct its name; a file is imported by a relative path (./model.ts).',
  },
  {
    is: /^(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_UNSUPPORTED_DIR_IMPORT)/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: 'Check the imports of the file: relative ones name the file with its extension (./model.ts).',
  },
  {
    is: /^ERR_IMPORT_ATTRIBUTE_MISSING/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: "Write `import data from './data.json' with { type: 'json' }`.",
  },
  {
    is: /^ERR_UNKNOWN_FILE_EXTENSION/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: 'Modules end in .ts, .mts, .js, .mjs, .cts or .cjs; read any other file with node:fs.',
  },
  {
    is: /^ERR_(?:UNSUPPORTED_ESM_URL_SCHEME|UNKNOWN_BUILTIN_MODULE|INVALID_MODULE_SPECIFIER|PACKAGE_IMPORT_NOT_DEFINED|INVALID_PACKAGE_TARGET|UNSUPPORTED_RESOLVE_REQUEST)/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: 'Import a file by a relative path (./model.ts) or an installed package by its name.',
  },
  {
    is: /does not provide an export named|Named export '.*' not found/,
    code: 'STRATEGY_IMPORT_MISSING',
    remedy: IMPORTS_TYPE,
  },
  {
    is: /Cannot use import statement outside a module|Unexpected token 'export'|Cannot use 'import\.meta' outside a module|await is only valid in async functions and the top level/,
    code: 'STRATEGY_SYNTAX_INVALID',
    remedy: SYNTAX_REMEDY,
    remedyIn: becomeModule,
  },
  {
    is: /(?:require|module|exports|__dirname|__filename) is not defined in ES module scope/,
    code: 'STRATEGY_LOAD_FAILED',
    remedy: 'The file is an ES module: write `import` and `export`, or name it .cjs (.cts).',
  },
  {
    is: /^ERR_REQUIRE_ASYNC_MODULE|^ERR_REQUIRE_ESM/,
    code: 'STRATEGY_LOAD_FAILED',
    remedy: 'Take it with `await import(...)`, in a module that is no CommonJS.',
  },
];

const SYNTAX: Omit<Kind, 'is'> = {
  code: 'STRATEGY_SYNTAX_INVALID',
  remedy: SYNTAX_REMEDY,
};
const RUN: Omit<Kind, 'is'> = {
  code: 'STRATEGY_LOAD_FAILED',
  remedy: 'The module runs as it is loaded: correct what it does there.',
};

/** The error for whatever the rule over bars of the strategy in `file` threw. */
export function ruleError(file: string, thrown: unknown): ConfigError {
  const { at } = placeOf(file, thrown);
  return new ConfigError({
    code: 'STRATEGY_RULE_FAILED',
    message: `expected the rule over bars of ${file} to give values, but ${at}${messageOf(thrown)}`,
    remedy: 'Correct the rule where it threw; docs/guides/bars.md says what it is given.',
    cause: thrown,
  });
}

/** The error for whatever was thrown while `file` was loaded. */
export function loadError(file: string, thrown: unknown): ConfigError {
  const { location, at } = placeOf(file, thrown);
  if (thrown instanceof BotError)
    return new ConfigError({
      code: thrown.code.startsWith('STRATEGY_') ? thrown.code : RUN.code,
      message: `${at}${thrown.message}`,
      remedy: thrown.remedy,
      cause: thrown,
    });
  const text = `${codeOf(thrown)} ${messageOf(thrown)}`.trimStart();
  const kind = KINDS.find(({ is }) => is.test(text)) ?? (isSyntaxError(thrown) ? SYNTAX : RUN);
  const remedy = kind.remedyIn?.(location?.file ?? file) ?? kind.remedy;
  return new ConfigError({
    code: kind.code,
    message: `expected ${file} to load, but ${at}${messageOf(thrown)}`,
    remedy,
    cause: thrown,
  });
}

/** Where it went wrong, and that as the start of a message. */
function placeOf(file: string, thrown: unknown) {
  // The cause was made where it went wrong, what carries it perhaps later.
  const location =
    locationOf(file, thrown instanceof BotError ? thrown.cause : undefined) ?? locationOf(file, thrown);
  return {
    location,
    at: location === undefined ? '' : `${location.file}:${location.line}:${location.column}: `,
  };
}

/** Why `file` is CommonJS, and how it becomes a module; `undefined`: it is one. */
function becomeModule(file: string): string | undefined {
  const ending = /\.c[jt]s$/.exec(file)?.[0];
  if (ending !== undefined)
    return `Its ending ${ending} makes it CommonJS: name it ${ending.replace('c', 'm')}, or write \`require\` and \`module.exports\`.`;
  const path = findPackageJSON(pathToFileURL(file));
  if (path === undefined || !/"type"\s*:\s*"commonjs"/.test(readFileSync(path, 'utf8'))) return undefined;
  return `${path} makes it CommonJS: write "type": "module" there, or name the file ${file.endsWith('.ts') ? '.mts' : '.mjs'}.`;
}

interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where the error is; `undefined` where nothing says it, as of a text that is thrown. */
function locationOf(file: string, thrown: unknown): Location | undefined {
  const stack = stackOf(thrown);
  if (stack === '') return undefined;
  return (
    locationOfSnippet(stack) ??
    (isSyntaxError(thrown) ? locationOfSyntax(file) : undefined) ??
    locationOfImport(file, thrown) ??
    locationOfFrame(stack)
  );
}

/** Errors of syntax and of linking begin with `file:line`, the line, and marks below the place in it. */
function locationOfSnippet(text: string): Location | undefined {
  const match = /^(file:\/\/\S+|\/[^\n]*):([0-9]+)\n([\s\S]*?\n)[ \t]*\^/.exec(text);
  if (match === null) return undefined;
  const [whole, path = '', line = '1'] = match;
  const marked = whole.slice(whole.lastIndexOf('\n') + 1);
  return { file: pathOf(path), line: Number(line), column: marked.length };
}

/** Node keeps the place of a wrong token to itself: another process that only compiles the files of the plugin says it. */
function locationOfSyntax(file: string): Location | undefined {
  const paths = sourcesOf(file).flatMap(([path, source]) => (source === undefined ? [] : [path]));
  const { stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--experimental-vm-modules', '--eval', COMPILE, ...paths],
    { encoding: 'utf8', timeout: COMPILE_MS_MAX },
  );
  return locationOfSnippet(stderr ?? '');
}

const COMPILE_MS_MAX = 10_000;
const COMPILE = `
const { readFileSync } = require('node:fs');
const { stripTypeScriptTypes } = require('node:module');
const { SourceTextModule } = require('node:vm');
for (const file of process.argv.slice(1)) {
  const source = readFileSync(file, 'utf8');
  const code = /\\.[cm]?ts$/.test(file) ? stripTypeScriptTypes(source, { sourceUrl: file }) : source;
  if (/\\.m?[jt]s$/.test(file)) new SourceTextModule(code, { identifier: file });
}`;

/** An import of what is not there: where it is written. */
function locationOfImport(file: string, thrown: unknown): Location | undefined {
  const code = codeOf(thrown);
  if (!/^(?:ERR_)?(?:MODULE|PACKAGE|UNSUPPORTED|UNKNOWN|IMPORT|INVALID_(?:MODULE|PACKAGE))_/.test(code))
    return undefined;
  const message = messageOf(thrown);
  const importer = /imported from (?:file:\/\/)?(\/.*)$|Require stack:\n- (\/.*)/m.exec(message);
  const named = importer?.[1] ?? importer?.[2];
  const sources = sourcesOf(file);
  // Names of ballast are resolved from a file of ours.
  const from = sources.some(([path]) => path === named) ? named : undefined;
  for (const [path, source] of sources) {
    if (source === undefined || (from !== undefined && from !== path)) continue;
    const text = source.toString();
    const found = importsOf(text).find(({ specifier }) => isNamed(specifier, message, path));
    if (found === undefined) continue;
    const before = text.slice(0, found.offset).split('\n');
    return { file: path, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  return undefined;
}

/** True if `message` is about the import of `specifier` in the file at `path`. */
function isNamed(specifier: string, message: string, path: string): boolean {
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(path), specifier);
    return [`'${target}'`, `"${target}"`, `file://${target}"`, ` ${target}`, `'${specifier}'`].some((one) =>
      `${message} `.includes(one),
    );
  }
  const [first = '', second = '', ...rest] = specifier.split('/');
  const [name, inner] = specifier.startsWith('@')
    ? [`${first}/${second}`, rest]
    : [first, second === '' ? rest : [second, ...rest]];
  const words = [`'${name}'`, `'./${inner.join('/')}'`, `'${specifier.split(':')[0]}:'`, specifier];
  return words.some((word) => message.includes(word));
}

/** The first frame in the code of the plugin; else in a package that it uses. */
function locationOfFrame(stack: string): Location | undefined {
  const frames = [
    ...stack.matchAll(/^\s+at (?:async )?(?:.*? \()?((?:file:\/\/)?\/.*?):([0-9]+):([0-9]+)\)?$/gm),
  ]
    .map(([, path = '', line, column]) => ({
      file: pathOf(path),
      line: Number(line),
      column: Number(column),
    }))
    // Frames of our own code say nothing about a plugin.
    .filter(({ file }) => !file.startsWith(OWN_CODE));
  return frames.find(({ file }) => !file.includes('/node_modules/')) ?? frames[0];
}

/** A path from a path or a URL, without the query that tells versions of a file apart. */
function pathOf(text: string): string {
  if (!text.startsWith('file:')) return text;
  const url = new URL(text);
  url.search = '';
  return fileURLToPath(url);
}

/** True for an error of Node's loader; what parses at run time, as `JSON.parse`, throws of the same class. */
function isSyntaxError(thrown: unknown): boolean {
  return thrown instanceof SyntaxError && /^\s+at .*\(node:internal/m.test(firstFrame(stackOf(thrown)));
}

function firstFrame(stack: string): string {
  return /^\s+at .*$/m.exec(stack)?.[0] ?? '';
}

function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? '') : '';
}
