import type { KindRef, KubeObject } from '@kubewright/api';
import { RuleValidator } from '@kubewright/api/cel';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf, objectSchemaOf } from '@kubewright/api/metadata';
import { applyDefaults, type StructuralSchema, validate } from '@kubewright/api/schema';
import { randomNumbers } from '../random-numbers.js';
import { ValueGenerator } from './value-generator.js';

/** The maximum number of generated values per requested object. Rules and patterns reject many values. */
const ATTEMPTS = 50;

/** The options of `testConversion` and `testDefaulter`. */
export interface GeneratedObjectsOptions<T extends KubeObject = KubeObject> {
  /**
   * Objects to check in addition to the generated objects. Required if no valid object can be generated, for example because of a pattern.
   * @default none
   */
  readonly objects?: readonly T[];
  /** The number of generated objects of each kind. Fewer objects are generated if most generated values are not valid. @default 100 */
  readonly count?: number;
  /** The seed of the generated objects. The same seed gives the same objects. @default 'kubewright' */
  readonly seed?: string | number;
}

/**
 * Returns the given objects of a kind, and generated objects that are valid and have the defaults of the schema. Throws CANNOT_GENERATE if
 * no object is given and no valid object can be generated.
 */
export function generatedObjects(kind: KindRef, options: GeneratedObjectsOptions): readonly KubeObject[] {
  const { objects = [], count = 100, seed = 'kubewright' } = options;
  const { apiVersion, kind: name } = kindOf(kind);
  const schema = objectSchemaOf(kind);
  const given = objects.filter((object) => object.apiVersion === apiVersion && object.kind === name);
  const { generated = [], error } =
    schema === undefined ? {} : validObjects(kind, schema, { count, seed: `${seed} ${apiVersion}` });
  const all = [...given.map((object) => (schema === undefined ? object : applyDefaults(object, schema))), ...generated];
  if (all.length > 0 || count === 0) return all;
  const reason = schema === undefined ? 'its schema is not known' : `the generated values are not valid (${error})`;
  throw new KubewrightError(
    'CANNOT_GENERATE',
    `cannot generate objects of ${apiVersion} ${name}: ${reason}; pass valid objects of this kind in the option objects`,
  );
}

/** Generates valid objects. Also returns the first error of the last generated object that is not valid. */
function validObjects(
  kind: KindRef,
  schema: StructuralSchema,
  { count, seed }: { readonly count: number; readonly seed: string },
): { readonly generated: readonly KubeObject[]; readonly error: string | undefined } {
  const { apiVersion, kind: name, namespaced } = kindOf(kind);
  const generator = new ValueGenerator(randomNumbers(seed));
  const errorOf = validatorOf(schema);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  const content: StructuralSchema = { ...schema, properties };
  const generated: KubeObject[] = [];
  let error: string | undefined;
  for (let attempt = 0; attempt < count * ATTEMPTS && generated.length < count; attempt++) {
    const value = generator.valueOf(content) as Readonly<Record<string, unknown>>;
    const metadata = {
      name: `generated-${generated.length}`,
      ...(namespaced !== false && { namespace: 'default' }),
      uid: `uid-${attempt}`,
    };
    const object = applyDefaults({ ...value, apiVersion, kind: name, metadata }, schema) as unknown as KubeObject;
    const problem = errorOf(object);
    if (problem === undefined) generated.push(object);
    error = problem ?? error;
  }
  return { generated, error };
}

/** Returns a function that returns the first error of an object according to a schema and its CEL rules, or undefined if it is valid. */
export function validatorOf(schema: StructuralSchema): (object: KubeObject) => string | undefined {
  const rules = RuleValidator.compile(schema);
  return (object) => {
    const [error = rules?.validate(object).errors[0]] = validate(object, schema);
    return error && `${error.field}: ${error.message}`;
  };
}

/**
 * Returns the first error that the schema of a kind reports for an object. Returns undefined if the object is valid or the schema is not
 * known.
 */
export function schemaError(kind: KindRef, object: KubeObject): string | undefined {
  const schema = objectSchemaOf(kind);
  if (schema === undefined) return undefined;
  const [error] = validate(object, schema);
  return error === undefined ? undefined : `${error.field}: ${error.message}`;
}
