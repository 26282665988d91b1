import type { Atom } from './atom.js';
import { FieldSet } from './field-set.js';
import type { Path, PathElement } from './path-element.js';

/**
 * Adapts the recorded fields of a manager to a changed schema. Ownership of fields within a list or map that is now atomic becomes
 * ownership of the whole list or map.
 */
export function reconcileFields(set: FieldSet, atom: Atom): FieldSet {
  const whole: Path[] = [];
  visit(set, { atom, path: [], alone: false, whole });
  if (whole.length === 0) return set;
  const atoms = FieldSet.of(whole);
  return set.recursiveDifference(atoms).union(atoms);
}

interface Visit {
  readonly atom: Atom | undefined;
  readonly path: Path;
  /** Whether the field itself is owned and no field below it is owned. */
  readonly alone: boolean;
  readonly whole: Path[];
}

function visit(set: FieldSet, at: Visit): void {
  const { map, list, scalar } = at.atom ?? {};
  if (map !== undefined) {
    if (map.deduced) return;
    if (map.atomic && !at.alone && !set.isEmpty) at.whole.push(at.path);
    else if (!map.atomic)
      visitBelow(set, at, (element) => (element.field === undefined ? undefined : map.field(element.field)?.()));
  } else if (list !== undefined && scalar === undefined) {
    if (list.atomic && !at.alone) at.whole.push(at.path);
    else if (!list.atomic) visitBelow(set, at, () => list.items());
  }
}

function visitBelow(set: FieldSet, at: Visit, typeOf: (element: PathElement) => Atom | undefined): void {
  const elements = new Map(set.members);
  for (const [id, { element }] of set.children) elements.set(id, element);
  for (const [id, element] of elements) {
    const alone = set.members.has(id) && !set.children.has(id);
    visit(set.below(element), { atom: typeOf(element), path: [...at.path, element], alone, whole: at.whole });
  }
}
