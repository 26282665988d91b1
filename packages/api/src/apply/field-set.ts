import { comparePathElements, fieldElement, type Path, type PathElement } from './path-element.js';

interface Child {
  readonly element: PathElement;
  readonly set: FieldSet;
}

/** A set of fields of an object, as a tree. Immutable. A field can be a member without its fields being, and the reverse. */
export class FieldSet {
  static readonly EMPTY = new FieldSet(new Map(), new Map());

  /** The fields right below this one that belong to the set, by id. */
  readonly members: ReadonlyMap<string, PathElement>;
  /** The fields right below this one that have members further down, by id. Never empty sets. */
  readonly children: ReadonlyMap<string, Child>;

  constructor(members: ReadonlyMap<string, PathElement>, children: ReadonlyMap<string, Child>) {
    this.members = members;
    this.children = children;
  }

  /** The set of these paths. The empty path is nobody's and is left out. */
  static of(paths: Iterable<Path>): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path);
    return builder.build();
  }

  /** The set of these fields, each given by the names on its way: `[['metadata', 'name']]`. */
  static ofNames(paths: Iterable<readonly string[]>): FieldSet {
    return FieldSet.of([...paths].map((path) => path.map(fieldElement)));
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** The number of JSON values of the set in `fieldsV1`, and of the fields in the object. The object can have more values. */
  get leastValues(): number {
    // A field that is a member and has members below it has an entry of its own, `.`.
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

  /** What the set holds below `element`. */
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

  /** The members of this set that are no members of `other`; a member of `other` leaves the fields below it alone. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      this.#membersWhere((id) => !other.members.has(id)),
      this.#mapChildren((child) => child.set.difference(other.below(child.element))),
    );
  }

  /** As `difference`, but a member of `other` takes all fields below it along. */
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

  /** Every member's path, in Kubernetes' order: the members of a field before what is below them. */
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

/** Shared by all sets: most fields have members or children, and not both. */
const noMembers: ReadonlyMap<string, PathElement> = new Map();
const noChildren: ReadonlyMap<string, Child> = new Map();

/** A set while it is built. A map exists as soon as it has an entry. */
interface Level {
  members?: Map<string, PathElement>;
  children?: Map<string, { readonly element: PathElement; readonly level: Level }>;
}

/** Collects paths, and gives the set of them: nothing is kept of a path that is given, so it may change afterwards. */
export class FieldSetBuilder {
  readonly #root: Level = {};

  /** Adds a path. The empty path is nobody's and is left out. */
  add(path: Path): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let depth = 0; depth < last; depth++) level = below(level, path[depth] as PathElement);
    const element = path[last];
    if (element !== undefined) (level.members ??= new Map()).set(element.id, element);
  }

  /** The set of the paths so far; nothing may be added later. */
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
