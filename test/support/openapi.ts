/**
 * @module
 * Holds requests, answers and frames against src/wire/protocol/openapi.yaml, so that every one of a test run can be
 * validated. Answers are closed here, although clients must tolerate unknown fields: what the embedded exchange sends
 * has to stand in the document. Every function returns what is wrong, in sentences; an empty list is valid.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { matchEndpoint } from '../../src/wire/protocol/index.ts';

/** Any object of the document. */
export type Node = Readonly<Record<string, unknown>>;

/** What is known of one operation of the document. */
export interface Operation extends Node {
  readonly operationId: string;
  readonly 'x-weight': number;
  readonly 'x-eip712'?: Node;
  readonly parameters?: readonly Node[];
  readonly requestBody?: Node;
  readonly responses: Readonly<Record<string, Node>>;
}

/** The document as far as tests look into it. */
export interface Document extends Node {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  readonly 'x-channels': {
    readonly client: Readonly<Record<string, Node>>;
    readonly control: Readonly<Record<string, Node>>;
    readonly data: Readonly<Record<string, Node>>;
    readonly limits: Readonly<Record<string, number>>;
  };
  readonly 'x-structs': Readonly<Record<string, Node>>;
  readonly 'x-error-codes': Readonly<Record<string, Node>>;
}

/** The document as it stands in the tree. */
export const OPENAPI: Document = parse(
  readFileSync(join(import.meta.dirname, '../../src/wire/protocol/openapi.yaml'), 'utf8'),
);

/** Schemas under these stay as they are: they test a value and do not describe it. */
const CONDITIONS = new Set(['if', 'then', 'else', 'not', 'oneOf', 'anyOf']);

const DOCUMENT_ID = 'openapi';
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ $id: DOCUMENT_ID, ...closed(OPENAPI) });
const compiled = new Map<string, ValidateFunction>();

/** The value at a JSON pointer such as `#/components/schemas/Fill`; throws when there is none. */
export function resolve(pointer: string): Node {
  const value = pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (at as Node | undefined)?.[part], OPENAPI);
  if (value === undefined) throw new Error(`${pointer} points nowhere`);
  return value as Node;
}

/** Follows `$ref` when there is one. */
export function deref(node: Node): Node {
  return typeof node['$ref'] === 'string' ? resolve(node['$ref']) : node;
}

/** Validates `value` against the schema at a JSON pointer. */
export function validateAt(pointer: string, value: unknown): readonly string[] {
  let validate = compiled.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `${DOCUMENT_ID}${pointer}` });
    compiled.set(pointer, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}

/** The operation that serves a concrete path, with or without query. */
export function operationOf(
  method: string,
  path: string,
): { readonly template: string; readonly verb: string; readonly operation: Operation } | undefined {
  const match = matchEndpoint(method.toUpperCase(), path.split('?')[0] ?? '');
  if (match === undefined) return undefined;
  const template = match.endpoint.path;
  const verb = method.toLowerCase();
  const operation = OPENAPI.paths[template]?.[verb];
  return operation === undefined ? undefined : { template, verb, operation };
}

/** Is `body` (parsed JSON) what the document says for this status? */
export function validateAnswer(
  path: string,
  method: string,
  status: number,
  body: unknown,
): readonly string[] {
  const found = operationOf(method, path);
  if (found === undefined) return [`${method} ${path} is not in the document`];
  const { template, verb, operation } = found;
  const key = operation.responses[String(status)] === undefined ? 'default' : String(status);
  const at = pointerTo('paths', template, verb, 'responses', key);
  const response = resolve(at);
  const target = typeof response['$ref'] === 'string' ? response['$ref'] : at;
  return validateAt(`${target}/content/application~1json/schema`, body);
}

/** Is this request of the document: its path, its query, its body (parsed JSON, absent on reads)? */
export function validateRequest(path: string, method: string, body?: unknown): readonly string[] {
  const found = operationOf(method, path);
  if (found === undefined) return [`${method} ${path} is not in the document`];
  const { template, verb, operation } = found;
  const problems = [...validateQuery(operation, path)];
  const hasBody = operation.requestBody !== undefined;
  if (hasBody) {
    const at = pointerTo('paths', template, verb, 'requestBody', 'content', 'application/json', 'schema');
    problems.push(...validateAt(at, body));
  } else if (body !== undefined) problems.push(`${method} ${path} has no body`);
  return problems;
}

function validateQuery(operation: Operation, path: string): readonly string[] {
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  const declared = new Map(
    (operation.parameters ?? [])
      .map(deref)
      .filter((parameter) => parameter['in'] === 'query')
      .map((parameter) => [String(parameter['name']), parameter]),
  );
  const problems: string[] = [];
  for (const [name, text] of query) {
    const parameter = declared.get(name);
    if (parameter === undefined) problems.push(`query parameter ${name} is not in the document`);
    else problems.push(...validateText(parameter, text).map((problem) => `query ${name}: ${problem}`));
  }
  for (const [name, parameter] of declared) {
    if (parameter['required'] === true && !query.has(name))
      problems.push(`query parameter ${name} is missing`);
  }
  return problems;
}

function validateText(parameter: Node, text: string): readonly string[] {
  const schema = parameter['schema'] as Node;
  const isNumber = deref(schema)['type'] === 'integer';
  const value = isNumber && /^-?[0-9]+$/.test(text) ? Number(text) : text;
  if (typeof schema['$ref'] === 'string') return validateAt(schema['$ref'], value);
  return ajv.validate(schema, value) ? [] : [ajv.errorsText()];
}

/** Is `frame` (parsed JSON) one that a server sends? */
export function validateFrame(frame: unknown): readonly string[] {
  const channel = String((frame as Node | null)?.['channel']);
  const { control, data } = OPENAPI['x-channels'];
  const entry = control[channel] ?? data[channel];
  if (entry === undefined) return [`channel ${channel} is not in the document`];
  return validateAt((entry['frame'] as { $ref: string }).$ref, frame);
}

/** Is `frame` (parsed JSON) one that a client sends, with parameters its channel knows? */
export function validateClientFrame(frame: unknown): readonly string[] {
  const method = String((frame as Node | null)?.['method']);
  const { client, data } = OPENAPI['x-channels'];
  const entry = client[method];
  if (entry === undefined) return [`method ${method} is not in the document`];
  const problems = [...validateAt((entry['frame'] as { $ref: string }).$ref, frame)];
  const params = (frame as { readonly params?: Node }).params;
  if (params === undefined) return problems;
  const channel = data[String(params['channel'])];
  if (channel === undefined)
    return [...problems, `channel ${String(params['channel'])} is not in the document`];
  return [...problems, ...validateAt((channel['params'] as { $ref: string }).$ref, params)];
}

/** A JSON pointer from its parts. */
export function pointerTo(...parts: readonly string[]): string {
  return `#/${parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}

/** The schemas that others are composed of by allOf: the whole is closed there, not the part. */
function partsOf(node: unknown, parts = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null) return parts;
  const { allOf } = node as { readonly allOf?: readonly { readonly $ref?: string }[] };
  for (const { $ref } of Array.isArray(allOf) ? allOf : []) if ($ref !== undefined) parts.add($ref);
  for (const child of Object.values(node)) partsOf(child, parts);
  return parts;
}

/** A copy of the document in which objects have no other fields than those it names. */
function closed(document: Document): Document {
  const parts = partsOf(document);
  const schemas = Object.entries(document.components['schemas'] ?? {}).map(([name, schema]) => [
    name,
    parts.has(`#/components/schemas/${name}`) ? schema : closedSchema(schema),
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function closedSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closedSchema);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node))
    copy[key] = CONDITIONS.has(key) ? value : closedSchema(value);
  const isOpen = copy['type'] === 'object' && copy['properties'] !== undefined;
  if (isOpen) copy['additionalProperties'] ??= false;
  return copy;
}
