/** The names of the members of a reference to an object, to a file, or to a key of a Secret. */
const REFERENCE =
  /^(?:name|namespace|key|optional|kind|apiVersion|apiGroup|group|uid|resourceVersion|fieldPath|items|path|mode|defaultMode|secretName|secretNamespace|audience|expirationSeconds|valueFrom|\w*Ref)$/;
/** The names of the members that identify the target of a reference. */
const TARGET = /^(?:name|secretName|path)$/;
/** The names of the members of a schema that do not contain a secret value. */
const SCHEMA =
  /^(?:type|format|title|description|nullable|required|pattern|properties|items|additionalProperties|(?:max|min)(?:imum|Length|Items|Properties)|exclusive(?:Max|Min)imum|multipleOf|uniqueItems|allOf|anyOf|oneOf|not|x-kubernetes-[a-z-]+)$/;

/**
 * Determines whether an object or a list below a secret name is masked, based on the names of its members. An empty object or list, a
 * reference such as `{ name, key }`, a list of references, and a schema with a `type` are shown. Every other object or list is masked as a
 * whole.
 */
export class ContainerShape {
  #isEmpty = true;
  #isReference = true;
  #hasTarget = false;
  #isSchema = true;
  #hasType = false;

  get isShown(): boolean {
    return this.#isEmpty || (this.#isReference && this.#hasTarget) || (this.#isSchema && this.#hasType);
  }
  /** Whether all names are allowed in a reference. The target of the reference can be missing. */
  get isReference(): boolean {
    return this.#isReference;
  }
  /** Whether all names are allowed in a reference, or all names are allowed in a schema. */
  get isOpen(): boolean {
    return this.#isReference || this.#isSchema;
  }

  /** Adds a member of the object. */
  addMember(name: string): void {
    this.#isEmpty = false;
    this.#isReference &&= REFERENCE.test(name);
    this.#hasTarget ||= TARGET.test(name);
    this.#isSchema &&= SCHEMA.test(name);
    this.#hasType ||= name === 'type';
  }
  /** Adds an item of the list that is neither an object nor a list. */
  addScalar(): void {
    this.#isEmpty = false;
    this.#isReference = false;
    this.#isSchema = false;
  }
  /** Adds the object or list that is the value of the last member. */
  addValue(inner: ContainerShape): void {
    this.#isReference &&= inner.#isReference;
    this.#hasTarget ||= inner.#hasTarget;
  }
  /** Adds an object or a list that is an item of the list. */
  addItem(inner: ContainerShape): void {
    this.#hasTarget = inner.#hasTarget && (this.#isEmpty || this.#hasTarget);
    this.#isReference &&= inner.#isReference;
    this.#isSchema = false;
    this.#isEmpty = false;
  }
}

/** The maximum depth of a reference. An object with deeper objects is not a reference. */
const DEEPEST = 10;

/** Whether an object or a list below a secret name is masked as a whole. */
export function isSecretContainer(value: object): boolean {
  return !shapeOf(value, 0).isShown;
}

function shapeOf(value: object, depth: number): ContainerShape {
  const shape = new ContainerShape();
  if (depth > DEEPEST) shape.addScalar();
  else if (Array.isArray(value)) addItems(shape, value, depth);
  else {
    for (const [name, member] of Object.entries(value)) {
      shape.addMember(name);
      if (shape.isReference && isContainer(member)) shape.addValue(shapeOf(member, depth + 1));
    }
  }
  return shape;
}
function addItems(shape: ContainerShape, items: readonly unknown[], depth: number): void {
  for (const item of items) {
    if (!shape.isReference) return;
    if (isContainer(item)) shape.addItem(shapeOf(item, depth + 1));
    else shape.addScalar();
  }
}
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
