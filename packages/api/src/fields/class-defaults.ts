import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import { plainCopy } from '../objects/plain-copy.js';

/**
 * Returns the values of the initializers of a class. Constructs one object of the class to get these values.
 * @throws KubewrightError CONSTRUCTOR_FAILED if the constructor throws, DEFINED_FIELDS if the compiler defines fields without an
 * initializer, NOT_JSON if an initializer has no JSON form
 */
export function classDefaults(shape: AnyClass): Readonly<Record<string, unknown>> {
  const sample = instanceOf(shape);
  const defaults: Record<string, unknown> = {};
  for (const field of Object.keys(metadataOf(shape).fields)) {
    if (!Object.hasOwn(sample, field)) continue;
    const value = sample[field];
    if (value === undefined) throw definedField(shape, field);
    defaults[field] = plainCopy(value, `the default of field '${field}' of ${shape.name}`);
  }
  return defaults;
}

function instanceOf(shape: AnyClass): Readonly<Record<string, unknown>> {
  try {
    return new (shape as unknown as new () => Readonly<Record<string, unknown>>)();
  } catch (cause) {
    throw new KubewrightError(
      'CONSTRUCTOR_FAILED',
      `cannot load class ${shape.name}: the constructor threw an error while the defaults were read; use a constructor without parameters and side effects`,
      { cause },
    );
  }
}

function definedField(shape: AnyClass, field: string): KubewrightError {
  return new KubewrightError(
    'DEFINED_FIELDS',
    `cannot load field '${field}' of ${shape.name}: it was compiled with useDefineForClassFields, which resets every field to undefined after the inherited constructor; set "useDefineForClassFields" to false in tsconfig.json`,
  );
}
