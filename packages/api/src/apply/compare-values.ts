import { deepEqual } from '../patch/deep-equal.js';
import { getField, isRecord } from '../patch/is-record.js';
import { DEDUCED, deduce, samePart, type Atom, type ListAtom, type MapAtom } from './atom.js';
import { FieldSet } from './field-set.js';
import { itemElements } from './list-elements.js';
import { fieldElement, type Path, type PathElement } from './path-element.js';
import { below } from './type-error.js';

/** The fields in which two objects differ. No field is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two objects field by field, as their type divides them. Throws `FieldTypeError`. */
export function compareValues(before: unknown, after: unknown, atom: Atom): Comparison {
  const walk = new ComparingWalk();
  walk.compare({ before, after, atom, path: [] });
  return {
    removed: FieldSet.of(walk.removed),
    modified: FieldSet.of(walk.modified),
    added: FieldSet.of(walk.added),
  };
}

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly atom: Atom;
  readonly path: Path;
}

class ComparingWalk {
  readonly removed: Path[] = [];
  readonly modified: Path[] = [];
  readonly added: Path[] = [];

  compare(pair: Pair): void {
    const { before, after, atom, path } = pair;
    const old = deduce(atom, before);
    const part = after === undefined ? old : deduce(atom, after);
    if (before !== undefined && after !== undefined && !samePart(old, part)) this.#comparePart(pair, old);
    const whole = this.#comparePart(pair, part);
    if (whole) return;
    if (before === undefined) this.added.push(path);
    else if (after === undefined) this.removed.push(path);
  }

  /** True when the value was compared as a whole. */
  #comparePart(pair: Pair, part: Atom): boolean {
    if (part.map !== undefined) return this.#maps(pair, part.map);
    if (part.scalar === undefined && part.list !== undefined) return this.#lists(pair, part.list);
    return this.#whole(pair);
  }

  #whole({ before, after, path }: Pair): true {
    if (before === undefined) this.added.push(path);
    else if (after === undefined) this.removed.push(path);
    else if (!deepEqual(before, after)) this.modified.push(path);
    return true;
  }

  #maps(pair: Pair, map: MapAtom): boolean {
    const before = isRecord(pair.before) ? pair.before : {};
    const after = isRecord(pair.after) ? pair.after : {};
    const keys = new Set([...definedKeys(before), ...definedKeys(after)]);
    if (map.atomic || keys.size === 0) return this.#whole(pair);
    for (const key of keys) {
      const element = fieldElement(key);
      const atom = (map.field(key) ?? (() => DEDUCED))();
      const path = [...pair.path, element];
      below(element, () => this.compare({ before: getField(before, key), after: getField(after, key), atom, path }));
    }
    return false;
  }

  #lists(pair: Pair, list: ListAtom): boolean {
    const before: readonly unknown[] = Array.isArray(pair.before) ? pair.before : [];
    const after: readonly unknown[] = Array.isArray(pair.after) ? pair.after : [];
    if (list.atomic || (before.length === 0 && after.length === 0)) return this.#whole(pair);
    const groups = new Map<string, { element: PathElement; before: unknown[]; after: unknown[] }>();
    for (const side of ['before', 'after'] as const) {
      const items = side === 'before' ? before : after;
      for (const [at, element] of itemElements(list, items).entries()) {
        const group = groups.get(element.id) ?? { element, before: [], after: [] };
        group[side].push(items[at]);
        groups.set(element.id, group);
      }
    }
    const atom = list.items();
    for (const group of groups.values()) {
      const path = [...pair.path, group.element];
      below(group.element, () => this.#items(group, { atom, path }));
    }
    return false;
  }

  /** Items that share an element (duplicates) are compared and owned as one. */
  #items(group: { before: unknown[]; after: unknown[] }, { atom, path }: { atom: Atom; path: Path }): void {
    const { before, after } = group;
    if (before.length > 1 && after.length > 1) {
      if (!deepEqual(before, after)) this.modified.push(path);
    } else if (before.length > 1) {
      if (after.length === 1) this.compare({ before: undefined, after: after[0], atom, path });
      this.removed.push(path);
    } else if (after.length > 1) {
      if (before.length === 1) this.compare({ before: before[0], after: undefined, atom, path });
      this.added.push(path);
    } else this.compare({ before: before[0], after: after[0], atom, path });
  }
}

function definedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}
