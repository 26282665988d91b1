import { getField, isJsonObject } from '../json/json-object.js';
import { deepEqual } from '../patch/deep-equal.js';
import { DEDUCED, deduce, samePart, type Atom, type ListAtom, type MapAtom } from './atom.js';
import { Breaks } from './breaks.js';
import { type FieldSet, FieldSetBuilder } from './field-set.js';
import { elementAt } from './list-elements.js';
import { fieldElement, type PathElement, pathText } from './path-element.js';
import type { Steps } from './steps.js';
import { FieldTypeError } from './type-error.js';

/**
 * The fields in which two objects differ. If one object contains a list item once and the other object contains duplicates of the item, the
 * item is in both `removed` and `added`, as in Kubernetes.
 */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two objects field by field according to their type, in steps. Throws `FieldTypeError`. */
export function* compareValues(before: unknown, after: unknown, atom: Atom): Steps<Comparison> {
  const walk = new ComparingWalk();
  yield* walk.run(before, after, atom);
  yield;
  return { removed: walk.removed.build(), modified: walk.modified.build(), added: walk.added.build() };
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly atom: Atom;
}

class ComparingWalk {
  readonly removed = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly added = new FieldSetBuilder();
  /** The path of the current value. */
  readonly #path: PathElement[] = [];
  readonly #breaks = new Breaks();

  *run(before: unknown, after: unknown, atom: Atom): Steps<void> {
    try {
      yield* this.#compare({ before, after, atom });
    } catch (error) {
      if (!(error instanceof FieldTypeError)) throw error;
      throw new FieldTypeError(error.detail, pathText(this.#path) + error.path);
    }
  }

  *#compare(pair: Pair): Steps<void> {
    const { before, after, atom } = pair;
    // Equal scalars are not a difference, even if the schema does not allow a scalar.
    if (before === after && before !== undefined && typeof before !== 'object') return;
    const old = deduce(atom, before);
    const part = after === undefined ? old : deduce(atom, after);
    if (before !== undefined && after !== undefined && !samePart(old, part)) yield* this.#comparePart(pair, old);
    const whole = yield* this.#comparePart(pair, part);
    if (whole) return;
    if (before === undefined) this.added.add(this.#path);
    else if (after === undefined) this.removed.add(this.#path);
  }

  /** Compares two values according to one type. Returns true if the values were compared as a whole, not field by field. */
  *#comparePart(pair: Pair, part: Atom): Steps<boolean> {
    if (part.map !== undefined) return yield* this.#maps(pair, part.map);
    if (part.scalar === undefined && part.list !== undefined) return yield* this.#lists(pair, part.list);
    return this.#whole(pair);
  }

  #whole({ before, after }: Pair): true {
    if (before === undefined) this.added.add(this.#path);
    else if (after === undefined) this.removed.add(this.#path);
    else if (!deepEqual(before, after)) this.modified.add(this.#path);
    return true;
  }

  *#maps(pair: Pair, map: MapAtom): Steps<boolean> {
    const before = isJsonObject(pair.before) ? pair.before : {};
    const after = isJsonObject(pair.after) ? pair.after : {};
    if (map.atomic || (isBare(before) && isBare(after))) return this.#whole(pair);
    for (const key of Object.keys(before)) {
      const value = before[key];
      if (value !== undefined) yield* this.#field(key, { before: value, after: getField(after, key) }, map);
    }
    for (const key of Object.keys(after)) {
      const value = after[key];
      if (value === undefined || getField(before, key) !== undefined) continue;
      yield* this.#field(key, { before: undefined, after: value }, map);
    }
    return false;
  }

  *#field(key: string, { before, after }: Omit<Pair, 'atom'>, map: MapAtom): Steps<void> {
    if (this.#breaks.isDue()) yield;
    if (before === after && typeof before !== 'object') return;
    this.#path.push(fieldElement(key));
    yield* this.#compare({ before, after, atom: map.field(key)?.() ?? DEDUCED });
    this.#path.pop();
  }

  *#lists(pair: Pair, list: ListAtom): Steps<boolean> {
    const before: readonly unknown[] = Array.isArray(pair.before) ? pair.before : [];
    const after: readonly unknown[] = Array.isArray(pair.after) ? pair.after : [];
    if (list.atomic || (before.length === 0 && after.length === 0)) return this.#whole(pair);
    const groups = new Map<string, { element: PathElement; before: unknown[]; after: unknown[] }>();
    for (const side of ['before', 'after'] as const) {
      const items = side === 'before' ? before : after;
      for (const [at, item] of items.entries()) {
        if (this.#breaks.isDue()) yield;
        const element = elementAt(list, item, at);
        const group = groups.get(element.id) ?? { element, before: [], after: [] };
        group[side].push(item);
        groups.set(element.id, group);
      }
    }
    const atom = list.items();
    for (const group of groups.values()) {
      if (this.#breaks.isDue()) yield;
      this.#path.push(group.element);
      yield* this.#items(group, atom);
      this.#path.pop();
    }
    return false;
  }

  /** Compares the items that have the same path element. Duplicate items are compared and owned as one item. */
  *#items({ before, after }: { before: unknown[]; after: unknown[] }, atom: Atom): Steps<void> {
    if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.modified.add(this.#path);
    } else if (before.length > 1) {
      if (after.length === 1) yield* this.#compare({ before: undefined, after: after[0], atom });
      this.removed.add(this.#path);
    } else if (after.length > 1) {
      if (before.length === 1) yield* this.#compare({ before: before[0], after: undefined, atom });
      this.added.add(this.#path);
    } else yield* this.#compare({ before: before[0], after: after[0], atom });
  }
}

/** Whether a record has no defined field. */
function isBare(record: Readonly<Record<string, unknown>>): boolean {
  for (const key in record) if (record[key] !== undefined && Object.hasOwn(record, key)) return false;
  return true;
}
