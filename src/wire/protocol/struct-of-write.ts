/**
 * @module
 * Which signed struct a type string of an operator's document means, and whether ballast can fill it.
 */
import { ENDPOINTS } from './endpoints.ts';
import { isStructName, type StructName, structDefect } from './structs.ts';

/** What a type string is: a known struct, one of a write that ballast does not know, or one that cannot be signed. */
export type WriteStruct =
  | { readonly kind: 'known'; readonly name: StructName }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'defect'; readonly expected: string; readonly found: string };

/**
 * The struct of `typeString`, which belongs to the write of path `route` (absent: at no write). The path decides where it
 * has only one struct, whatever that is called; elsewhere the name does.
 */
export function structOfWrite(typeString: string, route?: string): WriteStruct {
  const called = /^\w*/.exec(typeString)?.[0] ?? '';
  const own = route === undefined ? [] : structsOfPath(route);
  const [only, ...more] = own;
  const name = own.find((one) => one === called) ?? (more.length === 0 ? only : undefined);
  if (name === undefined && own.length > 0)
    return { kind: 'defect', expected: `one of ${own.join(', ')}`, found: called };
  const known = name ?? (isStructName(called) ? called : undefined);
  if (known === undefined) return { kind: 'foreign' };
  const defect = structDefect(known, typeString);
  return defect === undefined ? { kind: 'known', name: known } : { kind: 'defect', ...defect };
}

/** What is signed at a path, whatever its parameters are called. */
function structsOfPath(route: string): readonly StructName[] {
  const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
  return (
    ENDPOINTS.find(({ method, path }) => method === 'POST' && shapeOf(path) === shapeOf(route))?.structs ?? []
  );
}
