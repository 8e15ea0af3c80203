/**
 * @module
 * Which of what the OpenAPI document promises was seen: operations, fields of answers and frames, words of closed lists,
 * error codes, headers, channels. Fed by the tap of a probe.
 *
 *   answer, frame ─▶ its schema ─▶ names of fields and words ─▶ seen        all names ─ seen ─▶ what was not seen
 */
import { isRecord } from '../core/index.ts';
import type { ReceivedAnswer } from './answer.ts';
import type { Document, Node } from './document.ts';
import type { Tap } from './probe.ts';

/** What a run showed of the document. */
export interface CoverageReport {
  /** Names that a check covered. */
  readonly seen: number;
  /** Names in the OpenAPI document. */
  readonly total: number;
  /** Names of what was not seen, such as `field Fill.fee`, `code NotFound`, `channel book`. */
  readonly missing: readonly string[];
}

/** How deep schemas are followed. */
const DEPTH_MAX = 20;

/** Notes what is seen. */
export class Coverage implements Tap {
  readonly #document: Document;
  readonly #seen = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
  }

  onAnswer(method: string, path: string, answer: ReceivedAnswer): void {
    const operation = this.#document.operationOf(method, path);
    if (operation === undefined) return;
    if (answer.status < 300) this.#note(`operation ${String(operation['operationId'])}`);
    for (const name of Object.keys(answer.headers)) this.#note(`header ${name}`);
    const code = answer.at('error.code') ?? answer.at('reason');
    if (typeof code === 'string') this.#note(`code ${code}`);
    for (const item of answer.list('items')) this.#note(`code ${item.text('reason')}`);
    const schema = this.#document.answerSchema(method, path, answer.status);
    if (schema !== undefined) this.#walk(schema, answer.value, '');
  }

  onFrame(frame: unknown): void {
    const channel = isRecord(frame) ? String(frame['channel']) : '';
    const schema = this.#document.frameSchema(channel);
    if (schema === undefined) return;
    this.#note(`channel ${channel}`);
    const data = isRecord(frame) ? frame['data'] : undefined;
    if (channel === 'error' && isRecord(data)) this.#note(`code ${String(data['code'])}`);
    this.#walk(schema, frame, '');
  }

  /** What was seen of all that there is. */
  report(): CoverageReport {
    const all = [...this.#all()].sort();
    const missing = all.filter((name) => !this.#seen.has(name));
    return { seen: all.length - missing.length, total: all.length, missing };
  }

  #note(name: string): void {
    this.#seen.add(name);
  }

  /** Everything that the document names. */
  #all(): ReadonlySet<string> {
    const names = new Set<string>();
    const document = this.#document;
    // The upgrade of the stream is seen by its frames.
    for (const [, methods] of document.entries('paths'))
      for (const { operationId } of Object.values(methods as Readonly<Record<string, Node>>))
        if (operationId !== 'ws') names.add(`operation ${String(operationId)}`);
    for (const [code] of document.entries('x-error-codes')) names.add(`code ${code}`);
    const { codes = [] } = document.at('x-channels', 'control', 'error') as { codes?: readonly string[] };
    for (const code of codes) names.add(`code ${code}`);
    for (const header of ['x-svc-seq', 'ratelimit', 'ratelimit-policy', 'x-ratelimit-account', 'retry-after'])
      names.add(`header ${header}`);
    const frames = (['control', 'data'] as const).flatMap((kind) => document.entries('x-channels', kind));
    for (const [channel] of frames) names.add(`channel ${channel}`);
    const schemas = [...document.answerSchemas(), ...frames.map(([, { frame }]) => frame as Node)];
    for (const schema of schemas) this.#list({ schema, label: '', depth: 0 }, names);
    return names;
  }

  /** All names below a schema. */
  #list({ schema, label, depth }: Place, names: Set<string>): void {
    if (depth > DEPTH_MAX) return;
    const { node, label: name } = this.#document.resolve(schema, label);
    for (const word of wordsOf(node)) names.add(`word ${name}=${word}`);
    for (const [field, child] of propertiesOf(node)) {
      names.add(`field ${name}.${field}`);
      this.#list({ schema: child, label: `${name}.${field}`, depth: depth + 1 }, names);
    }
    for (const child of [...partsOf(node), ...itemsOf(node)])
      this.#list({ schema: child, label: name, depth: depth + 1 }, names);
  }

  /** Notes what a value shows of its schema. */
  #walk(schema: Node, value: unknown, label: string): void {
    const { node, label: name } = this.#document.resolve(schema, label);
    if (typeof value !== 'object' && wordsOf(node).includes(String(value)))
      this.#note(`word ${name}=${String(value)}`);
    if (isRecord(value))
      for (const [field, child] of propertiesOf(node)) {
        if (value[field] === undefined) continue;
        this.#note(`field ${name}.${field}`);
        this.#walk(child, value[field], `${name}.${field}`);
      }
    if (Array.isArray(value))
      for (const child of itemsOf(node)) for (const item of value) this.#walk(child, item, name);
    for (const part of partsOf(node)) if (this.#fits(part, value)) this.#walk(part, value, name);
  }

  /** True if a value takes this alternative, by the constants of its fields. */
  #fits(schema: Node, value: unknown): boolean {
    const { node } = this.#document.resolve(schema, '');
    return propertiesOf(node).every(([field, { const: only }]) => {
      if (only === undefined || !isRecord(value)) return true;
      return value[field] === only;
    });
  }
}

interface Place {
  readonly schema: Node;
  readonly label: string;
  readonly depth: number;
}

/** The words of a closed list; a constant that only distinguishes frames is none. */
function wordsOf(node: Node): readonly string[] {
  const { enum: words } = node as { readonly enum?: readonly unknown[] };
  return (words ?? []).map(String);
}

function propertiesOf(node: Node): readonly (readonly [string, Node])[] {
  return Object.entries((node['properties'] ?? {}) as Readonly<Record<string, Node>>);
}

function partsOf(node: Node): readonly Node[] {
  return ['allOf', 'oneOf', 'anyOf'].flatMap((key) => (node[key] ?? []) as readonly Node[]);
}

function itemsOf(node: Node): readonly Node[] {
  const { items, prefixItems = [] } = node as {
    readonly items?: Node;
    readonly prefixItems?: readonly Node[];
  };
  return items === undefined || typeof items !== 'object' ? prefixItems : [items, ...prefixItems];
}
