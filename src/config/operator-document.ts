/**
 * @module The operator's own OpenAPI document: what it says is signed (`x-eip712.typeString` of each write,
 * `x-structs`) and how commands are encoded (`x-commands`, where it has them), each with its location. Whether it fits
 * is not checked here.
 */
import { basename } from 'node:path';
import { z } from 'zod';
import { ConfigError, readRegularFile, whyUnreadable } from '../core/index.ts';
import { describeFinding, describeFindings, type Finding } from '../core/yaml/index.ts';
import { readCheckedYaml } from './checked-yaml.ts';

/** A type string in the document. */
export interface OperatorStruct {
  /** Path of the write, such as `/v1/orders`; `undefined`: it is in `x-structs`. */
  readonly route: string | undefined;
  /** EIP-712 type of the struct. */
  readonly typeString: string;
  /** Its location. */
  readonly at: readonly PropertyKey[];
}

/** A number of the encoding of commands, as text: the version, or the tag of a command. */
export interface OperatorCode {
  /** Name of the command; `undefined`: `codecVersion`. */
  readonly command: string | undefined;
  /** The code. */
  readonly text: string;
  /** Path within the document. */
  readonly at: readonly PropertyKey[];
}

/** What the document says of signatures. */
export interface OperatorDocument {
  /** Typed data of commands. */
  readonly structs: readonly OperatorStruct[];
  /** Error codes. */
  readonly codes: readonly OperatorCode[];
  /** A finding about the value at `path`. */
  find(path: readonly PropertyKey[], expected: string): Finding;
}

/** The largest document that is read. */
const DOCUMENT_CHARACTERS_MAX = 5_000_000;

const TYPE_STRING = z.string();
const SIGNED = z.looseObject({
  typeString: TYPE_STRING,
  agent: TYPE_STRING.optional(),
  variants: z.array(z.looseObject({ typeString: TYPE_STRING })).default([]),
});
const WRITE = z.looseObject({ 'x-eip712': SIGNED.optional() });
const DOCUMENT = z.looseObject({
  openapi: z.string().regex(/^3\./, 'OpenAPI 3.0 or 3.1'),
  paths: z.record(z.string(), z.looseObject({ post: WRITE.optional() })),
  'x-structs': z.record(z.string(), z.looseObject({ typeString: TYPE_STRING })).default({}),
  'x-commands': z
    .looseObject({
      codecVersion: z.string().optional(),
      commands: z.record(z.string(), z.looseObject({ tag: z.string() })).default({}),
    })
    .optional(),
});

/** Reads the document in `file`. @throws ConfigError `CONFIG_DOCUMENT_INVALID` with every finding. */
export function loadOperatorDocument(file: string): OperatorDocument {
  let text: string;
  try {
    text = readRegularFile(file, 4 * DOCUMENT_CHARACTERS_MAX);
  } catch (cause) {
    throw new ConfigError({
      code: 'CONFIG_DOCUMENT_INVALID',
      message: `expected a readable OpenAPI document at ${file}, but ${whyUnreadable(file, cause)}`,
      remedy:
        'Name the document that the operator of the gateway gave you in environment.openapiFile, or leave it out.',
      cause,
    });
  }
  return parseOperatorDocument(text, file);
}

/** As {@link loadOperatorDocument} for a text, YAML or JSON; `file` is named in findings. */
export function parseOperatorDocument(text: string, file: string): OperatorDocument {
  const label = basename(file);
  const whole = { place: `${label}:1:1`, key: '(file)' };
  if (text.length > DOCUMENT_CHARACTERS_MAX)
    throw invalidDocument([
      { ...whole, expected: `at most ${DOCUMENT_CHARACTERS_MAX} characters`, found: `${text.length}` },
    ]);
  const yaml = readCheckedYaml(text, { label, page: 'the OpenAPI specification', invalid: invalidDocument });
  const document = yaml.check(DOCUMENT);
  const structs = [...structsOf(document)];
  if (structs.length === 0)
    throw invalidDocument([
      { ...whole, expected: 'x-eip712.typeString on at least one write', found: 'none' },
    ]);
  return { structs, codes: [...codesOf(document)], find: yaml.find };
}

/** The error that carries findings on the document. */
export function invalidDocument(findings: readonly Finding[]): ConfigError {
  return new ConfigError({
    code: 'CONFIG_DOCUMENT_INVALID',
    message: describeFindings('the document of the operator', findings.map(describeFinding)),
    remedy:
      'Get the document again from the operator. What it asks for and ballast cannot sign needs another version of ballast.',
  });
}

type Document = z.output<typeof DOCUMENT>;

function* structsOf(document: Document): Generator<OperatorStruct> {
  for (const [route, { post }] of Object.entries(document.paths)) {
    const signed = post?.['x-eip712'];
    if (signed === undefined) continue;
    const at = ['paths', route, 'post', 'x-eip712'];
    yield { route, typeString: signed.typeString, at: [...at, 'typeString'] };
    for (const [index, { typeString }] of signed.variants.entries())
      yield { route, typeString, at: [...at, 'variants', index, 'typeString'] };
    // What an API wallet signs is the same for all writes.
    if (signed.agent !== undefined)
      yield { route: undefined, typeString: signed.agent, at: [...at, 'agent'] };
  }
  for (const [name, { typeString }] of Object.entries(document['x-structs']))
    yield { route: undefined, typeString, at: ['x-structs', name, 'typeString'] };
}

function* codesOf({ 'x-commands': commands }: Document): Generator<OperatorCode> {
  if (commands === undefined) return;
  const { codecVersion } = commands;
  if (codecVersion !== undefined)
    yield { command: undefined, text: codecVersion, at: ['x-commands', 'codecVersion'] };
  for (const [command, { tag }] of Object.entries(commands.commands))
    yield { command, text: tag, at: ['x-commands', 'commands', command, 'tag'] };
}
