/**
 * @module
 * Values that code of others may read and must not change: frozen where they stand, or as a frozen copy of what its owner
 * goes on changing.
 */

/** Freezes a value of plain objects and arrays with all that it holds, and gives it back. What is frozen is not entered. */
export function deepFrozen<T>(value: T): T {
  if (!isPlain(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const held of Object.values(value)) deepFrozen(held);
  return value;
}

/** A frozen copy of a value of plain objects, arrays and typed arrays, which become arrays; all else as it is. */
export function frozenCopy<T>(value: T): T {
  if (ArrayBuffer.isView(value)) return Object.freeze(Array.from(value as unknown as Float64Array)) as T;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(value)) copy[name] = frozenCopy(held);
  return Object.freeze(copy) as T;
}

/** An object of no class of its own: what has one guards its state behind methods. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
