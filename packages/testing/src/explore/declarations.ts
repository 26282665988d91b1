import type { KindRef, KubeObject } from '@kubewright/api';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import { applyDefaults, type StructuralSchema } from '@kubewright/api/schema';
import { generatedObjects, validatorOf } from '../webhooks/objects-of-schema.js';
import { type FieldChange, fieldChanges } from './generate/field-changes.js';
import { leastValue } from './generate/field-values.js';
import { withObjectNames } from './generate/object-names.js';
import { differentSpec, richSpec } from './generate/other-specs.js';
import { SUBJECT } from './trials/world.js';

/** The number of generated specs that follow the minimal spec if the kind has no samples. */
const GENERATED_BASES = 10;

/** An object with a spec. */
type ObjectWithSpec = KubeObject & { readonly spec?: unknown };

/** Generates the specs of a kind that an exploration declares, and valid changes of these specs. */
export class Declarations {
  readonly #kind: KindRef;
  readonly #schema: StructuralSchema;
  readonly #specSchema: StructuralSchema;
  readonly #validator: (object: KubeObject) => string | undefined;

  /**
   * @param objects the objects that exist before a trial starts; generated specs use their names in fields that probably refer to objects
   */
  constructor(kind: KindRef, objects: readonly KubeObject[] = []) {
    this.#kind = kind;
    this.#schema = objectSchemaOf(kind) ?? {};
    this.#specSchema = withObjectNames(this.#schema.properties?.['spec'] ?? {}, objects);
    this.#validator = validatorOf(this.#schema);
  }

  /**
   * Yields the specs from which changes can start. If there are samples of the kind, yields their specs with the defaults of the schema.
   * Otherwise, yields the minimal spec if it is valid, and then generated specs. Throws CANNOT_GENERATE if no valid object can be
   * generated.
   */
  *specs(samples: readonly KubeObject[]): Generator {
    const { apiVersion, kind } = kindOf(this.#kind);
    const given = samples.filter((each) => each.kind === kind && each.apiVersion === apiVersion);
    for (const sample of given) yield applyDefaults<ObjectWithSpec>(sample, this.#schema).spec;
    if (given.length > 0) return;
    const least = this.#withDefaults(leastValue('spec', this.#specSchema));
    if (this.#validator(least) === undefined) yield least.spec;
    for (const object of generatedObjects(this.#kind, { count: GENERATED_BASES }))
      yield (object as ObjectWithSpec).spec;
  }

  /** Returns the changes of fields after which the object is valid. */
  changes(base: unknown): readonly FieldChange[] {
    return fieldChanges(base, this.#specSchema).filter(({ spec }) => this.#isValid(spec));
  }

  /** Returns a valid spec in which as many optional fields as possible are set. */
  rich(base: unknown): unknown {
    return richSpec(base, this.#specSchema, (spec) => this.#isValid(spec));
  }

  /** Returns a valid spec for another object of the same kind. */
  different(base: unknown): unknown {
    return differentSpec(base, this.#specSchema, (spec) => this.#isValid(spec));
  }

  #isValid(spec: unknown): boolean {
    return this.#validator(this.#withDefaults(spec)) === undefined;
  }

  #withDefaults(spec: unknown): ObjectWithSpec {
    const { apiVersion, kind } = kindOf(this.#kind);
    const declared = { apiVersion, kind, metadata: { ...SUBJECT }, spec } as unknown as ObjectWithSpec;
    return applyDefaults<ObjectWithSpec>(declared, this.#schema);
  }
}
