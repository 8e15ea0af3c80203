/** @module The OpenAPI document as coverage sees it: what a gateway may say, by name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION } from '../core/index.ts';
import { parseYaml } from '../core/yaml/index.ts';
import { matchEndpoint } from '../wire/protocol/index.ts';

/** Any object of the document. */
export type Node = Readonly<Record<string, unknown>>;

/** The document of this installation. */
export function loadDocument(): Document {
  const file = join(INSTALLATION, 'src', 'wire', 'protocol', 'openapi.yaml');
  return new Document(parseYaml(readFileSync(file, 'utf8')) as Node);
}

/** The document, looked into by place. */
export class Document {
  readonly #root: Node;

  constructor(root: Node) {
    this.#root = root;
  }

  /** The entries of an object of the document by the names that lead to it. */
  entries(...names: readonly string[]): readonly (readonly [string, Node])[] {
    return Object.entries(this.at(...names)) as [string, Node][];
  }

  /** The object that names lead to; an empty one when they lead nowhere. */
  at(...names: readonly string[]): Node {
    return names.reduce<Node>((node, name) => (node[name] ?? {}) as Node, this.#root);
  }

  /** Follows `$ref`, with the name of the schema it leads to. */
  resolve(node: Node, label: string): { readonly node: Node; readonly label: string } {
    const { $ref } = node;
    if (typeof $ref !== 'string') return { node, label };
    const names = $ref.slice(2).split('/');
    return { node: this.at(...names), label: names.at(-1) ?? label };
  }

  /** The schemas of answers: those that an operation may give. */
  answerSchemas(): readonly Node[] {
    return this.entries('paths').flatMap(([, methods]) =>
      Object.values(methods as Readonly<Record<string, Node>>).flatMap((operation) =>
        Object.values((operation['responses'] ?? {}) as Readonly<Record<string, Node>>).map((response) =>
          this.#schemaOf(response),
        ),
      ),
    );
  }

  /** The schema of one answer, `undefined` outside of the document. */
  answerSchema(method: string, path: string, status: number): Node | undefined {
    const operation = this.operationOf(method, path);
    if (operation === undefined) return undefined;
    const { responses } = operation as { readonly responses: Readonly<Record<string, Node>> };
    const response = responses[String(status)] ?? responses['default'];
    return response === undefined ? undefined : this.#schemaOf(response);
  }

  /** The operation that serves a concrete path. */
  operationOf(method: string, path: string): Node | undefined {
    const match = matchEndpoint(method, path.split('?', 1)[0] ?? '');
    if (match === undefined) return undefined;
    const operation = this.at('paths', match.endpoint.path, method.toLowerCase());
    return operation['operationId'] === undefined ? undefined : operation;
  }

  /** The schema of a server frame, `undefined` for a channel that is not in the document. */
  frameSchema(channel: string): Node | undefined {
    for (const kind of ['control', 'data']) {
      const { frame } = this.at('x-channels', kind, channel);
      if (frame !== undefined) return frame as Node;
    }
    return undefined;
  }

  #schemaOf(response: Node): Node {
    const { node } = this.resolve(response, '');
    const content = (node['content'] ?? {}) as Readonly<Record<string, { readonly schema?: Node }>>;
    return content['application/json']?.schema ?? {};
  }
}
