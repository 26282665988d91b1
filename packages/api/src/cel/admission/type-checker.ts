import { checkExpression } from '../evaluate/compile-expression.js';
import { type DeclaredType, declareType, objectFields } from '../check/declared-type.js';
import { type Environment, type Fields, functionTable, type FunctionTable } from '../check/environment.js';
import { authorizerTypes } from '../library/authorizer-values.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type CelType, celTypes } from '../values/cel-type.js';
import { admissionObjects, namespaceType, requestType } from './request-types.js';
import { variablesType, variableType } from './variables-value.js';

/** The type of `object` and `oldObject`, or of `params`. */
export interface CheckedKind {
  /** The name of the type in errors. */
  readonly name: string;
  /** The schema of the objects. Undefined for objects of any type. */
  readonly schema: StructuralSchema | undefined;
}

/** The options of a `PolicyTypeChecker`. */
export interface PolicyTypes {
  /** The kind of `object` and `oldObject`. */
  readonly object: CheckedKind;
  /** The kind of `params`. @default expressions cannot read `params` */
  readonly params?: CheckedKind | undefined;
  /** The functions, if several checkers share them. */
  readonly functions?: FunctionTable;
}

/**
 * Checks the expressions of a policy with the types of one kind, as the type check of a ValidatingAdmissionPolicy does. Unlike an
 * `AdmissionCompiler`, reports fields that the schema of the kind does not have.
 *
 * @example
 * ```ts
 * import { PolicyTypeChecker } from '@kubewright/api/cel';
 *
 * const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } as const;
 * const checker = new PolicyTypeChecker({ object: { name: 'Widget', schema } });
 * checker.errors('object.spec.size > 3'); // undefined
 * checker.errors('object.spec.sizes > 3'); // ERROR: <input>:1:12: undefined field 'sizes' …
 * ```
 */
export class PolicyTypeChecker {
  readonly #fields = new Map<string, CelType>();
  readonly #environment: Environment;

  constructor({ object, params, functions = functionTable() }: PolicyTypes) {
    const types = [object, ...(params === undefined ? [] : [params])].map(declared);
    const [objectType = celTypes.dyn, paramsType] = types.map((each) => each?.type ?? celTypes.dyn);
    this.#environment = {
      functions,
      variables: new Map<string, CelType>([
        ['object', objectType],
        ['oldObject', objectType],
        ['namespaceObject', namespaceType],
        ['request', requestType],
        // The type check of Kubernetes does not declare `authorizer.requestResource`.
        ['authorizer', authorizerTypes.authorizer],
        ['variables', variablesType],
        ...(paramsType === undefined ? [] : [['params', paramsType] as const]),
      ]),
      objects: new Map<string, Fields>([
        ...admissionObjects,
        [variablesType.name, this.#fields],
        ...types.flatMap((type) => (type === undefined ? [] : [...objectFields(type)])),
      ]),
    };
  }

  /** Declares `variables.name` for the expressions that are checked afterwards. A variable with an error has the type dyn. */
  declare(name: string, source: string): void {
    const checked = checkExpression(source, this.#environment);
    this.#fields.set(name, 'errors' in checked ? celTypes.dyn : variableType(checked.type));
  }

  /** Returns the errors of an expression in the wording of Kubernetes, or undefined for an expression without errors. */
  errors(source: string): string | undefined {
    const checked = checkExpression(source, this.#environment);
    return 'errors' in checked ? checked.errors : undefined;
  }
}

function declared({ name, schema }: CheckedKind): DeclaredType | undefined {
  return schema === undefined ? undefined : declareType(schema, name, true);
}
