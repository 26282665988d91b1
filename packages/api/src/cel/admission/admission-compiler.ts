import type { ExpressionIssue } from '../../schema/field-error.js';
import {
  type Environment,
  type Fields,
  type FunctionTable,
  functionTable,
  type ObjectTypes,
} from '../check/environment.js';
import { compileExpression, type CompiledExpression } from '../evaluate/compile-expression.js';
import { PlanError } from '../evaluate/plan-error.js';
import { authorizerTypes } from '../library/authorizer-values.js';
import { jsonPatchOverloads } from '../library/json-patch-functions.js';
import { type CelType, celTypes, listOf, sameType, structType, typeText } from '../values/cel-type.js';
import { jsonPatchType, OBJECT_TYPE } from './constructed-values.js';
import { type AdmissionSchemas, DeclaredObjects } from './declared-objects.js';
import { patchTypes } from './patch-types.js';
import { admissionObjects, namespaceType, requestType } from './request-types.js';
import { variablesType, variableType } from './variables-value.js';

/** The use of an expression, which determines the type of its result. */
export type ExpressionUse =
  | 'condition'
  | 'message'
  | 'auditAnnotation'
  | 'variable'
  | 'applyConfiguration'
  | 'jsonPatch';

/** The optional variables of an expression. */
export interface AdmissionVariables {
  /** Whether the policy has a paramKind, so that the expression can read `params`. @default false */
  readonly params?: boolean;
  /** Whether the expression can read `authorizer` and `authorizer.requestResource`. @default true; false for messages */
  readonly authorizer?: boolean;
}

/** The error of an expression that does not compile, in the wording of kube-apiserver. */
export interface AdmissionExpressionError {
  /** `invalid` for an error in the expression; `internal` for a constant that cannot be evaluated, such as an invalid pattern. */
  readonly kind: 'invalid' | 'internal';
  readonly detail: string;
  /** The errors that have a position in the expression. */
  readonly issues: readonly ExpressionIssue[];
}

/** A compiled expression of a webhook or of a policy, or the error in the expression. */
export interface AdmissionExpression {
  readonly source: string;
  /** The type of the result. Undefined if the expression does not compile. */
  readonly type: CelType | undefined;
  readonly error: AdmissionExpressionError | undefined;
  /** The compiled expression. Undefined if the expression does not compile. */
  readonly compiled: CompiledExpression | undefined;
  /** The names of the variables in the order in which `compiled` takes their values. */
  readonly names: readonly string[];
}

/** The functions of expressions. The tables can be shared by all compilers. */
export interface AdmissionFunctions {
  readonly common: FunctionTable;
  /** The functions of mutations. */
  readonly patching: FunctionTable;
}

/** Returns the functions of expressions, to be shared by any number of compilers. */
export function admissionFunctions(): AdmissionFunctions {
  return { common: functionTable(), patching: functionTable(jsonPatchOverloads()) };
}

const returned: Readonly<Record<ExpressionUse, readonly CelType[]>> = {
  condition: [celTypes.bool],
  message: [celTypes.string],
  auditAnnotation: [celTypes.string, celTypes.null],
  variable: [],
  applyConfiguration: [structType(OBJECT_TYPE)],
  jsonPatch: [listOf(jsonPatchType)],
};

/** The options of `AdmissionCompiler`. */
export interface AdmissionCompilerOptions {
  readonly composited?: boolean;
  readonly functions?: AdmissionFunctions;
  readonly schemas?: AdmissionSchemas;
}

/**
 * Compiles the expressions of one webhook or policy. Expressions can read `object`, `oldObject`, `request` and `namespaceObject`. Like the
 * API server, compiles without the types of `object`, `oldObject` and `params`: an expression that reads a missing field fails when it is
 * evaluated. With `schemas`, reports such fields when the expression is compiled.
 *
 * @example
 * ```ts
 * import { AdmissionCompiler } from '@kubewright/api/cel';
 *
 * const compiler = new AdmissionCompiler({ composited: true });
 * compiler.declare('replicas', 'object.spec.?replicas.orValue(1)');
 * const expression = compiler.compile("variables.replicas <= 3 || request.userInfo.username == 'admin'", 'condition');
 * expression.error?.detail; // undefined: the expression is valid
 * ```
 */
export class AdmissionCompiler {
  readonly #functions: AdmissionFunctions;
  readonly #composited: boolean;
  readonly #fields = new Map<string, CelType>();
  readonly #objects: ReadonlyMap<string, Fields>;
  readonly #schemas: DeclaredObjects | undefined;
  readonly #constructible: ObjectTypes;
  readonly #declared = new Map<string, AdmissionExpression>();

  /**
   * @param options.composited whether expressions can read `variables` @default false
   * @param options.functions the functions, if several compilers share them
   * @param options.schemas the schemas with which the fields in the expressions are checked @default none
   */
  constructor({ composited = false, functions = admissionFunctions(), schemas }: AdmissionCompilerOptions = {}) {
    this.#functions = functions;
    this.#composited = composited;
    this.#schemas = schemas === undefined ? undefined : new DeclaredObjects(schemas);
    this.#constructible = patchTypes(this.#schemas?.constructible);
    this.#objects = new Map([
      ...admissionObjects,
      ...(this.#schemas?.fields ?? []),
      [variablesType.name, this.#fields],
    ]);
  }

  /** The declared variables, keyed by name, in the order of their declaration. */
  get declared(): ReadonlyMap<string, AdmissionExpression> {
    return this.#declared;
  }

  /**
   * Declares `variables.name` for the expressions that are compiled afterwards, and returns the compiled expression. If the expression does
   * not compile, the variable has the type dyn, and reading the variable fails.
   */
  declare(name: string, source: string, variables: AdmissionVariables = {}): AdmissionExpression {
    const expression = this.compile(source, 'variable', variables);
    const { type = celTypes.dyn } = expression;
    this.#fields.set(name, this.#schemas === undefined ? variableType(type) : type);
    this.#declared.set(name, expression);
    return expression;
  }

  /** Compiles an expression for a use. The result contains the error of an expression that does not compile. */
  compile(source: string, use: ExpressionUse, variables: AdmissionVariables = {}): AdmissionExpression {
    const environment = this.#environment(use, variables);
    const names = [...environment.variables.keys()];
    const failed = (
      kind: AdmissionExpressionError['kind'],
      detail: string,
      issues: readonly ExpressionIssue[] = [],
    ): AdmissionExpression => {
      return { source, type: undefined, error: { kind, detail, issues }, compiled: undefined, names };
    };
    try {
      const compilation = compileExpression(source, environment);
      if ('errors' in compilation) {
        return failed('invalid', `compilation failed: ${compilation.errors}`, compilation.issues);
      }
      const { compiled } = compilation;
      const why = typeProblem(compiled.type, returned[use]);
      if (why !== undefined) return failed('invalid', why);
      return { source, type: compiled.type, error: undefined, compiled, names };
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      return failed('internal', `program instantiation failed: ${error.message}`);
    }
  }

  #environment(
    use: ExpressionUse,
    { params = false, authorizer = use !== 'message' }: AdmissionVariables,
  ): Environment {
    const patches = use === 'applyConfiguration' || use === 'jsonPatch';
    const variables = new Map<string, CelType>([
      ['object', this.#schemas?.object ?? celTypes.dyn],
      ['oldObject', this.#schemas?.object ?? celTypes.dyn],
      ['namespaceObject', namespaceType],
      ['request', requestType],
    ]);
    if (params) variables.set('params', this.#schemas?.params ?? celTypes.dyn);
    if (authorizer) {
      variables.set('authorizer', authorizerTypes.authorizer);
      variables.set('authorizer.requestResource', authorizerTypes.resource);
    }
    if (this.#composited) variables.set('variables', variablesType);
    const { common, patching } = this.#functions;
    return {
      functions: patches ? patching : common,
      variables,
      objects: this.#objects,
      isUntyped: true,
      ...(patches && { constructible: this.#constructible }),
    };
  }
}

function typeProblem(type: CelType, expected: readonly CelType[]): string | undefined {
  if (expected.length === 0 || expected.some((one) => sameType(one, type))) return undefined;
  const [only] = expected;
  if (only !== undefined && expected.length === 1)
    return `must evaluate to ${typeText(only)} but got ${typeText(type)}`;
  return `must evaluate to one of [${expected.map(typeText).join(' ')}] but got ${typeText(type)}`;
}
