/**
 * @module
 * A map for what is nearly always few: orders that work, writes on their way. Entries come and go all the time, for which a
 * `Map` makes a new table again and again; a short list is looked through faster than a text is hashed.
 */

/** With more entries a `Map` finds them. */
const FEW_MAX = 8;

/** Values by key in the order in which the keys came; a key that is set again keeps its position. */
export class FewMap<K, V extends object> {
  readonly #keys: K[] = [];
  readonly #values: V[] = [];
  /** There while there are more than {@link FEW_MAX}. */
  #index: Map<K, V> | undefined;

  /** How many there are. */
  get size(): number {
    return this.#keys.length;
  }

  /** All values, oldest key first: the list itself, which changes with the map. */
  get values(): readonly V[] {
    return this.#values;
  }

  /** All keys in the order of {@link values}, and as they are. */
  get keys(): readonly K[] {
    return this.#keys;
  }

  get(key: K): V | undefined {
    if (this.#index !== undefined) return this.#index.get(key);
    const keys = this.#keys;
    for (let at = 0; at < keys.length; at++) if (keys[at] === key) return this.#values[at];
    return undefined;
  }

  set(key: K, value: V): void {
    const at = this.#placeOf(key);
    if (at < 0) this.add(key, value);
    else {
      this.#values[at] = value;
      this.#index?.set(key, value);
    }
  }

  /** As {@link set}, of a key that is known not to be there: it is not looked for. */
  add(key: K, value: V): void {
    // Not `push`: of lists that were of one kind and then of another that is a call, again and again.
    this.#keys[this.#keys.length] = key;
    this.#values[this.#values.length] = value;
    if (this.#index !== undefined) this.#index.set(key, value);
    else if (this.#keys.length > FEW_MAX) {
      this.#index = new Map();
      for (let i = 0; i < this.#keys.length; i++) this.#index.set(this.#keys[i] as K, this.#values[i] as V);
    }
  }

  /** Takes an entry out, and gives what it was. */
  delete(key: K): V | undefined {
    const at = this.#placeOf(key);
    if (at < 0) return undefined;
    const keys = this.#keys;
    const values = this.#values;
    const value = values[at];
    for (let next = at + 1; next < keys.length; next++) {
      keys[next - 1] = keys[next] as K;
      values[next - 1] = values[next] as V;
    }
    keys.pop();
    values.pop();
    if (this.#index !== undefined) {
      // Where it was few and many in turn, it stays many: half of them must go first.
      if (keys.length > FEW_MAX / 2) this.#index.delete(key);
      else this.#index = undefined;
    }
    return value;
  }

  clear(): void {
    if (this.#index !== undefined) {
      this.#keys.length = 0;
      this.#values.length = 0;
      this.#index = undefined;
    }
    // Few one by one: a list that is cut to nothing gives its room away, and the next entry makes it new.
    while (this.#keys.length > 0) {
      this.#keys.pop();
      this.#values.pop();
    }
  }

  #placeOf(key: K): number {
    const keys = this.#keys;
    if (this.#index !== undefined) {
      const value = this.#index.get(key);
      if (value === undefined) return -1;
      // Objects compare faster than texts; one may have several keys.
      let at = this.#values.indexOf(value);
      while (keys[at] !== key) at = this.#values.indexOf(value, at + 1);
      return at;
    }
    for (let at = 0; at < keys.length; at++) if (keys[at] === key) return at;
    return -1;
  }
}
