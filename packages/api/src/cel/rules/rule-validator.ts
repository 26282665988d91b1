import { workTimeMs } from '../../time/work-time.js';
import { finish, type Steps } from '../../apply/steps.js';
import { Correlation } from '../../schema/correlation.js';
import type { FieldError } from '../../schema/field-error.js';
import { hasRules } from '../../schema/has-rules.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { TakesLong } from '../../schema/time-limit.js';
import { functionTable } from '../check/environment.js';
import { compileNode, type RuleNode } from './rule-node.js';
import { type RulePlace, RuleRun } from './rule-run.js';

/** The result of validating an object with rules. */
export interface RuleVerdict {
  readonly errors: readonly FieldError[];
  /** The errors in values that an update did not change, as warnings. These warnings do not cause the API server to reject the update. */
  readonly warnings: readonly string[];
}

/** The compiled rules of a schema, for validating objects. */
export class RuleValidator {
  readonly #root: RuleNode;
  readonly #schema: StructuralSchema;

  private constructor(root: RuleNode, schema: StructuralSchema) {
    this.#root = root;
    this.#schema = schema;
  }

  /** Compiles the rules of a schema. Returns undefined if the schema has no rules. */
  static compile(schema: StructuralSchema): RuleValidator | undefined {
    return finish(RuleValidator.compileSteps(schema));
  }

  /** Compiles the rules of a schema in steps. */
  static *compileSteps(schema: StructuralSchema): Steps<RuleValidator | undefined> {
    if (!hasRules(schema)) return undefined;
    const root = yield* compileNode(schema, { root: true, functions: functionTable() });
    return root === undefined ? undefined : new RuleValidator(root, schema);
  }

  /** Validates an object, and the change of the object if `old` is given. */
  validate(object: unknown, old?: unknown): RuleVerdict {
    const run = new RuleRun();
    run.visit(this.#root, this.#place(object, old));
    return run;
  }

  /**
   * Validates an object in steps of up to 30 ms each. Returns undefined if an evaluation takes longer. The caller can then call `validate`
   * in a thread that can be blocked, because an evaluation can take several seconds.
   */
  *validateSteps(object: unknown, old?: unknown): Steps<RuleVerdict | undefined> {
    const run = new RuleRun({ nowMs: workTimeMs });
    try {
      yield* run.visitSteps(this.#root, this.#place(object, old));
    } catch (error) {
      if (error instanceof TakesLong) return undefined;
      throw error;
    }
    return run;
  }

  #place(object: unknown, old: unknown): RulePlace {
    const correlation = old === undefined ? undefined : new Correlation(object, old, this.#schema);
    return { path: '', value: object, old, current: correlation, root: true };
  }
}
