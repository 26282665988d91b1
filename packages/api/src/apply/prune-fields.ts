import type { Atom } from './atom.js';
import type { FieldSet } from './field-set.js';
import { ownedFields, withNamedFields } from './owned-fields.js';
import { removeFields } from './remove-fields.js';

export interface PruneOptions {
  readonly atom: Atom;
  /** What the manager applied the last time. */
  readonly last: FieldSet;
  /** What is managed now, by anyone, the new configuration included. */
  readonly managed: FieldSet;
}

/**
 * Removes the fields that the manager applied the last time, does not apply now, and that nobody else manages. Fields
 * that nobody ever managed stay, except inside of a list item or map that goes.
 */
export function pruneFields(merged: unknown, { atom, last, managed }: PruneOptions): unknown {
  if (last.isEmpty) return merged;
  const named = (set: FieldSet) => withNamedFields(set, atom);
  const own = named(last);
  const all = named(ownedFields(merged, atom));
  const without = removeFields(merged, own, atom);
  const kept = named(ownedFields(without, atom)).union(named(managed));
  const restored = removeFields(merged, all.difference(kept), atom);
  const gone = all.difference(named(ownedFields(restored, atom))).intersection(own);
  return removeFields(merged, gone, atom);
}
