/**
 * @module
 * Hashes structs of one EIP-712 type many times: the type is taken apart and hashed once, flat structs are written into
 * one reused buffer. Handles nested structs and arrays too, with a buffer for each call.
 *
 *   type string ─▶ StructHasher ── message ─▶ type hash ‖ one word a field ─▶ keccak ─▶ struct hash
 */
import { isRecord, ProtocolError } from '../../../core/index.ts';
import type { Hasher } from '../keccak.ts';
import { baseType, encodeType, isStruct, parseTypeString, type StructTypes } from './type-string.ts';
import { allocateWords, elementaryWriter, unfitValue, type Words, type WriteWord } from './words.ts';

/** A value of a struct: its fields by name. Fields that the type does not name are not signed. */
export type StructMessage = Readonly<Record<string, unknown>>;

/** What is known of a struct type before any message: made by {@link structHasher}. */
export class StructHasher {
  /** The canonical type string. */
  readonly typeString: string;
  /** The hash of the type string. */
  readonly typeHash: Uint8Array;
  readonly #hasher: Hasher;
  readonly #fields: readonly { readonly name: string; readonly write: WriteWord }[];
  /** Absent when the struct holds structs or arrays: filling it might come back to this very hasher. */
  readonly #words: Words | undefined;

  constructor(hasher: Hasher, compile: Compilation) {
    const { types, name, siblings } = compile;
    siblings.set(name, this);
    this.#hasher = hasher;
    this.typeString = encodeType(types, name);
    this.typeHash = hasher.keccak256(Buffer.from(this.typeString, 'utf8'));
    const fields = types[name] ?? [];
    this.#fields = fields.map((field) => ({
      name: field.name,
      write: writerOf(hasher, compile, { type: field.type, label: `${name}.${field.name}` }),
    }));
    const isFlat = fields.every(({ type }) => !type.endsWith(']') && !isStruct(types, type));
    this.#words = isFlat ? this.#freshWords() : undefined;
  }

  /** The type hash and one word for each field. Valid until the next call. @throws ProtocolError when a value does not fit. */
  encode(message: StructMessage): Uint8Array {
    const words = this.#words ?? this.#freshWords();
    let at = 32;
    for (const { name, write } of this.#fields) {
      write(words, at, message[name]);
      at += 32;
    }
    return words.bytes;
  }

  /** The struct hash of `message`. @throws ProtocolError when a value is missing or does not fit its type. */
  hash(message: StructMessage): Uint8Array {
    return this.#hasher.keccak256(this.encode(message));
  }

  #freshWords(): Words {
    const words = allocateWords(1 + this.#fields.length);
    words.bytes.set(this.typeHash);
    return words;
  }
}

/**
 * The hasher of a struct, given as a canonical type string or as types and the name of one of them.
 * @throws ProtocolError when the type is unknown or the text is not canonical.
 * @example structHasher(crypto, 'RevokeAgent(address owner,uint32 master,address agent,uint64 nonce)').hash(fields)
 */
export function structHasher(
  hasher: Hasher,
  type: string | { readonly types: StructTypes; readonly primaryType: string },
): StructHasher {
  const { types, primaryType } = typeof type === 'string' ? parseTypeString(type) : type;
  if (!isStruct(types, primaryType)) throw unknownType(primaryType, 'the struct to be signed');
  return new StructHasher(hasher, { types, name: primaryType, siblings: new Map() });
}

/** A struct being prepared, and those of the same types that are ready or in the making. */
interface Compilation {
  readonly types: StructTypes;
  readonly name: string;
  readonly siblings: Map<string, StructHasher>;
}

function writerOf(
  hasher: Hasher,
  compile: Compilation,
  { type, label }: { readonly type: string; readonly label: string },
): WriteWord {
  const array = /^(.+)\[([0-9]*)\]$/.exec(type);
  if (array?.[1] !== undefined) {
    const write = writerOf(hasher, compile, { type: array[1], label: `${label}[]` });
    return arrayWriter(hasher, { type, label, write, length: array[2] ? Number(array[2]) : undefined });
  }
  if (isStruct(compile.types, type)) {
    const inner = compile.siblings.get(type) ?? new StructHasher(hasher, { ...compile, name: type });
    return (words, at, value) => {
      if (!isRecord(value)) throw unfitValue({ type, label, value });
      words.bytes.set(inner.hash(value), at);
    };
  }
  const elementary = elementaryWriter(hasher, type, label);
  if (elementary === undefined) throw unknownType(baseType(type), label);
  return elementary;
}

/** How the items of an array become words; `length` is undefined when the type leaves it open. */
interface ArrayShape {
  readonly type: string;
  readonly label: string;
  readonly write: WriteWord;
  readonly length: number | undefined;
}

function arrayWriter(hasher: Hasher, { type, label, write, length }: ArrayShape): WriteWord {
  return (words, at, value) => {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
      throw unfitValue({ type, label, value });
    }
    const items = allocateWords(value.length);
    for (const [index, item] of value.entries()) write(items, 32 * index, item);
    words.bytes.set(hasher.keccak256(items.bytes), at);
  };
}

function unknownType(type: string, label: string): ProtocolError {
  return new ProtocolError({
    code: 'CRYPTO_TYPE_UNKNOWN',
    message: `expected a known EIP-712 type for ${label}, got ${JSON.stringify(type)}`,
    remedy: 'Integer types need their width, such as uint256; structs must be part of the type string.',
  });
}
