/**
 * @module
 * The struct types of EIP-712 as text and back: `Mail(Person from,string contents)Person(string name)`. The text is
 * what gets signed, so it is read strictly: only the one canonical form is accepted.
 */
import { ProtocolError } from '../../../core/index.ts';

/** One field of a struct. */
export interface TypedField {
  /** Name of the field. */
  readonly name: string;
  readonly type: string;
}

/** The fields of each struct by its name, in signing order. */
export type StructTypes = Readonly<Record<string, readonly TypedField[]>>;

/** A type string taken apart: the struct that is signed, and all structs it is made of. */
export interface ParsedTypeString {
  /** Name of the struct. */
  readonly primaryType: string;
  readonly types: StructTypes;
}

const STRUCT = /([A-Za-z_$][\w$]*)\(([^()]*)\)/y;
const FIELD = /^([A-Za-z_$][\w$]*(?:\[[0-9]*\])*) ([A-Za-z_$][\w$]*)$/;

/** @throws ProtocolError when `text` is not a canonical type string. */
export function parseTypeString(text: string): ParsedTypeString {
  const structs: [string, TypedField[]][] = [];
  STRUCT.lastIndex = 0;
  while (STRUCT.lastIndex < text.length) {
    const match = STRUCT.exec(text);
    if (match === null) throw invalid(text, 'does not have the form Name(type name,type name)');
    structs.push([match[1] ?? '', parseFields(text, match[2] ?? '')]);
  }
  const primaryType = structs[0]?.[0];
  if (primaryType === undefined) throw invalid(text, 'is empty');
  const types: StructTypes = Object.fromEntries(structs);
  if (encodeType(types, primaryType) !== text) {
    throw invalid(text, 'names a struct twice, needlessly or out of alphabetical order');
  }
  return { primaryType, types };
}

/** The canonical text of a struct: itself first, then all structs it is made of by name (EIP-712 encodeType). */
export function encodeType(types: StructTypes, primaryType: string): string {
  const [first, ...rest] = dependenciesOf(types, primaryType);
  return [first, ...rest.sort()].map((name) => formatStruct(name ?? '', types)).join('');
}

/** The element type of an array type such as `uint8[3][]`: `uint8`. */
export function baseType(type: string): string {
  const bracket = type.indexOf('[');
  return bracket === -1 ? type : type.slice(0, bracket);
}

/** True if there is a struct of this name. */
export function isStruct(types: StructTypes, type: string): boolean {
  return Object.hasOwn(types, type);
}

/** All structs that `name` is made of, itself first. */
function dependenciesOf(types: StructTypes, name: string, found = new Set<string>()): string[] {
  if (!found.has(name)) {
    found.add(name);
    for (const field of types[name] ?? []) {
      const inner = baseType(field.type);
      if (isStruct(types, inner)) dependenciesOf(types, inner, found);
    }
  }
  return [...found];
}

function formatStruct(name: string, types: StructTypes): string {
  return `${name}(${(types[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`;
}

function parseFields(text: string, fields: string): TypedField[] {
  if (fields === '') return [];
  return fields.split(',').map((field) => {
    const [, type, name] = FIELD.exec(field) ?? [];
    if (type === undefined || name === undefined) throw invalid(text, `has the unreadable field "${field}"`);
    return { type, name };
  });
}

function invalid(text: string, why: string): ProtocolError {
  return new ProtocolError({
    code: 'CRYPTO_TYPE_STRING_INVALID',
    message: `expected an EIP-712 type string, got ${JSON.stringify(text.slice(0, 120))}, which ${why}`,
    remedy: 'Check the table of type strings of the environment.',
  });
}
