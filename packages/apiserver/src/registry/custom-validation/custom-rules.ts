import { workTimeMs } from '@kubewright/api/clock';
import { createRequire } from 'node:module';
import type { RuleValidator } from '@kubewright/api/cel';
import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import {
  type FieldError,
  fieldErrors,
  hasRules,
  type StructuralSchema,
  TakesLong,
  TimeLimit,
} from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { validateInWorker } from './validate-in-worker.js';
import { blocksRules, ObjectShape } from './object-shape.js';

const load = createRequire(import.meta.url);

const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Validates custom objects with the schema of the resource and the CEL rules in the schema. */
export class CustomRules {
  readonly #authored: StructuralSchema;
  readonly #shape: ObjectShape;
  #validator: RuleValidator | undefined;
  #compiled = false;

  /** @param authored the schema in the CustomResourceDefinition */
  constructor(authored: StructuralSchema) {
    this.#authored = authored;
    this.#shape = new ObjectShape(authored);
  }

  /**
   * Returns the schema errors and the CEL errors of a new object. `metadata` contains the errors of the object's metadata. The result does
   * not repeat these errors.
   */
  *createErrors(object: ApiObject, metadata: readonly FieldError[]): Steps<readonly FieldError[]> {
    const shape = yield* this.#shapeErrors(object);
    yield;
    return [...shape, ...(yield* this.#ruleErrors([...metadata, ...shape], { object }))];
  }

  /**
   * Returns the schema errors and the CEL errors of an updated object. CEL errors in unchanged values become warnings; schema errors in
   * unchanged values are ignored.
   */
  *updateErrors(
    object: ApiObject,
    old: ApiObject,
    { metadata, warnings }: { readonly metadata: readonly FieldError[]; readonly warnings: string[] },
  ): Steps<readonly FieldError[]> {
    const shape = yield* this.#shapeErrors(object, old);
    yield;
    return [...shape, ...(yield* this.#ruleErrors([...metadata, ...shape], { object, old, warnings }))];
  }

  *#shapeErrors(object: ApiObject, old?: ApiObject): Steps<readonly FieldError[]> {
    try {
      return this.#shape.errors(object, old, new TimeLimit(workTimeMs));
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error;
    }
    return (yield* validateInWorker({ part: 'shape', schema: this.#authored, object, old })).errors;
  }

  *#ruleErrors(
    others: readonly FieldError[],
    { object, old, warnings }: { readonly object: ApiObject; readonly old?: ApiObject; readonly warnings?: string[] },
  ): Steps<readonly FieldError[]> {
    if (!this.#compiled) {
      this.#validator = yield* compiledRules(this.#authored);
      this.#compiled = true;
    }
    if (this.#validator === undefined) return [];
    if (others.some(blocksRules)) return [fieldErrors.invalid('', null, notChecked)];
    const verdict =
      (yield* this.#validator.validateSteps(object, old)) ??
      (yield* validateInWorker({ part: 'rules', schema: this.#authored, object, old }));
    if (warnings !== undefined) append(warnings, verdict.warnings);
    return verdict.errors;
  }
}

/** Compiles the CEL rules of a schema. For a schema without rules, returns undefined and does not load the CEL library. */
function* compiledRules(schema: StructuralSchema): Steps<RuleValidator | undefined> {
  if (!hasRules(schema)) return undefined;
  const { RuleValidator } = load('@kubewright/api/cel') as typeof import('@kubewright/api/cel');
  return yield* RuleValidator.compileSteps(schema);
}
