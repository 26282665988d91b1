import { comparePathElements, fieldElement, type Path, type PathElement } from './path-element.js';

interface Child {
  readonly element: PathElement;
  readonly set: FieldSet;
}

/**
 * An immutable set of fields of an object, as a tree. A field can be a member without its subfields, and subfields can be members without
 * the field.
 */
export class FieldSet {
  static readonly EMPTY = new FieldSet(new Map(), new Map());

  /** The direct subfields that are members of the set, by id. */
  readonly members: ReadonlyMap<string, PathElement>;
  /** The direct subfields that have members below them, by id. The set of a child is never empty. */
  readonly children: ReadonlyMap<string, Child>;

  constructor(members: ReadonlyMap<string, PathElement>, children: ReadonlyMap<string, Child>) {
    this.members = members;
    this.children = children;
  }

  /** Returns the set of the given paths. Ignores the empty path, because the whole object does not have an owner. */
  static of(paths: Iterable<Path>): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path);
    return builder.build();
  }

  /** Returns the set of the given fields. Each path is a list of field names: `[['metadata', 'name']]`. */
  static ofNames(paths: Iterable<readonly string[]>): FieldSet {
    return FieldSet.of([...paths].map((path) => path.map(fieldElement)));
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** A lower bound for the number of JSON values that the set needs in `fieldsV1` and that its fields have in the object. */
  get leastValues(): number {
    // A member that also has subfields in the set has its own entry in `fieldsV1`: `.`.
    let values = 2 * this.members.size + this.children.size;
    for (const { set } of this.children.values()) values += set.leastValues;
    return values;
  }

  has(path: Path): boolean {
    const last = path.at(-1);
    if (last === undefined) return false;
    return path
      .slice(0, -1)
      .reduce((set: FieldSet, step) => set.below(step), this)
      .members.has(last.id);
  }

  /** Returns the set of the members below `element`. The paths in the result start below `element`. */
  below(element: PathElement): FieldSet {
    return this.children.get(element.id)?.set ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.children);
    for (const [id, child] of other.children) {
      const own = children.get(id);
      children.set(id, own === undefined ? child : { element: own.element, set: own.set.union(child.set) });
    }
    const members = new Map(this.members);
    for (const [id, element] of other.members) members.set(id, element);
    return new FieldSet(members, children);
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.EMPTY;
    return new FieldSet(
      this.#membersWhere((id) => other.members.has(id)),
      this.#mapChildren((child) => child.set.intersection(other.below(child.element))),
    );
  }

  /** Returns the members of this set that are not members of `other`. A member of `other` does not remove the fields below it. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      this.#membersWhere((id) => !other.members.has(id)),
      this.#mapChildren((child) => child.set.difference(other.below(child.element))),
    );
  }

  /** Returns the members of this set that are neither members of `other` nor below a member of `other`. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    const children = this.#mapChildren((child, id) =>
      other.members.has(id) ? FieldSet.EMPTY : child.set.recursiveDifference(other.below(child.element)),
    );
    return new FieldSet(
      this.#membersWhere((id) => !other.members.has(id)),
      children,
    );
  }

  equals(other: FieldSet): boolean {
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const id of this.members.keys()) if (!other.members.has(id)) return false;
    for (const [id, child] of this.children) {
      const its = other.children.get(id);
      if (its === undefined || !child.set.equals(its.set)) return false;
    }
    return true;
  }

  /** Returns the path of every member in the order of Kubernetes: at each level, the direct subfields precede the fields below them. */
  *paths(prefix: Path = []): Generator<Path> {
    for (const element of [...this.members.values()].toSorted(comparePathElements)) yield [...prefix, element];
    for (const { element, set } of this.sortedChildren()) yield* set.paths([...prefix, element]);
  }

  sortedChildren(): readonly Child[] {
    return [...this.children.values()].toSorted((a, b) => comparePathElements(a.element, b.element));
  }

  #membersWhere(keeps: (id: string) => boolean): Map<string, PathElement> {
    const members = new Map<string, PathElement>();
    for (const [id, element] of this.members) if (keeps(id)) members.set(id, element);
    return members;
  }

  #mapChildren(change: (child: Child, id: string) => FieldSet): Map<string, Child> {
    const children = new Map<string, Child>();
    for (const [id, child] of this.children) {
      const set = change(child, id);
      if (!set.isEmpty) children.set(id, { element: child.element, set });
    }
    return children;
  }
}

/** The empty maps that all sets share to save memory: most sets have either only members or only children. */
const noMembers: ReadonlyMap<string, PathElement> = new Map();
const noChildren: ReadonlyMap<string, Child> = new Map();

/** One level of a set under construction. Each map is created when its first entry is added. */
interface Level {
  members?: Map<string, PathElement>;
  children?: Map<string, { readonly element: PathElement; readonly level: Level }>;
}

/** Builds a field set from paths. The builder does not keep a reference to a path, so the caller can change the path afterwards. */
export class FieldSetBuilder {
  readonly #root: Level = {};

  /** Adds a path. Ignores the empty path, because the whole object does not have an owner. */
  add(path: Path): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let depth = 0; depth < last; depth++) level = below(level, path[depth] as PathElement);
    const element = path[last];
    if (element !== undefined) (level.members ??= new Map()).set(element.id, element);
  }

  /** Returns the set of the added paths. The caller must not add paths afterwards. */
  build(): FieldSet {
    return setOf(this.#root);
  }
}

function below(parent: Level, element: PathElement): Level {
  parent.children ??= new Map();
  const { children } = parent;
  const known = children.get(element.id);
  if (known !== undefined) return known.level;
  const level: Level = {};
  children.set(element.id, { element, level });
  return level;
}

function setOf({ members, children }: Level): FieldSet {
  if (children === undefined) return members === undefined ? FieldSet.EMPTY : new FieldSet(members, noChildren);
  const sets = new Map<string, { readonly element: PathElement; readonly set: FieldSet }>();
  for (const [id, { element, level }] of children) sets.set(id, { element, set: setOf(level) });
  return new FieldSet(members ?? noMembers, sets);
}
