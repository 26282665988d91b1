import { createRequire } from 'node:module';
import type { RuleValidator } from '@kubewright/api/cel';
import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import {
  type FieldError,
  fieldErrors,
  hasRules,
  type StructuralSchema,
  validate,
  validateUpdate,
} from '@kubewright/api/schema';
import type { ApiObject } from '../json-object.js';
import { judgeApart } from './judge-apart.js';

const load = createRequire(import.meta.url);

const blocking = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
];
const notChecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** What the schema of a custom resource and the rules in it say of objects. */
export class CustomRules {
  readonly #schema: StructuralSchema;
  readonly #authored: StructuralSchema;
  /** What the author demands of names; the rest of the metadata is that of all objects. */
  readonly #names: StructuralSchema | undefined;
  #validator: RuleValidator | undefined;
  #compiled = false;

  /** @param schema that of whole objects @param authored the same as its author wrote it */
  constructor(schema: StructuralSchema, authored: StructuralSchema) {
    this.#schema = schema;
    this.#authored = authored;
    const metadata = authored.properties?.['metadata'];
    this.#names = metadata === undefined ? undefined : { type: 'object', properties: { metadata } };
  }

  /** What is wrong with a new object, whose metadata has the errors given. */
  *createErrors(object: ApiObject, metadata: readonly FieldError[]): Steps<readonly FieldError[]> {
    const names = this.#names === undefined ? [] : validate({ metadata: object.metadata }, this.#names);
    const shape = [...names, ...withoutMetadata(validate(object, this.#schema))];
    yield;
    return [...shape, ...(yield* this.#ruleErrors([...metadata, ...shape], { object }))];
  }

  /** What is wrong with a changed object; what was wrong before at places that are as they were becomes a warning. */
  *updateErrors(
    object: ApiObject,
    old: ApiObject,
    { metadata, warnings }: { readonly metadata: readonly FieldError[]; readonly warnings: string[] },
  ): Steps<readonly FieldError[]> {
    const schemas = { schema: this.#schema, authored: this.#authored };
    const shape = [...this.#changedNames(object, old), ...withoutMetadata(validateUpdate(object, old, schemas))];
    yield;
    return [...shape, ...(yield* this.#ruleErrors([...metadata, ...shape], { object, old, warnings }))];
  }

  #changedNames({ metadata }: ApiObject, old: ApiObject): readonly FieldError[] {
    const schema = this.#names;
    if (schema === undefined) return [];
    return validateUpdate({ metadata }, { metadata: old.metadata }, { schema, authored: schema });
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
    if (others.some(({ reason }) => blocking.includes(reason))) return [fieldErrors.invalid('', null, notChecked)];
    const verdict =
      (yield* this.#validator.validateSteps(object, old)) ??
      (yield* judgeApart({ schema: this.#authored, object, old }));
    if (warnings !== undefined) append(warnings, verdict.warnings);
    return verdict.errors;
  }
}

/** The rules of a schema, ready to run; undefined when it has none, for which the expression language is not loaded. */
function* compiledRules(schema: StructuralSchema): Steps<RuleValidator | undefined> {
  if (!hasRules(schema)) return undefined;
  const { RuleValidator } = load('@kubewright/api/cel') as typeof import('@kubewright/api/cel');
  return yield* RuleValidator.compileSteps(schema);
}

/** The metadata is checked by the rules that all objects have in common. */
function withoutMetadata(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ field }) => !field.startsWith('metadata'));
}
