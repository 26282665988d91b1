import { finish, type Steps } from '../../apply/steps.js';
import { Correlation } from '../../schema/correlation.js';
import type { FieldError } from '../../schema/field-error.js';
import { hasRules } from '../../schema/has-rules.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { TakesLong } from '../../schema/time-limit.js';
import { functionTable } from '../check/environment.js';
import { compileNode, type RuleNode } from './rule-node.js';
import { type RulePlace, RuleRun } from './rule-run.js';

/** What rules say of an object. */
export interface RuleVerdict {
  readonly errors: readonly FieldError[];
  /** What is wrong at places that an update did not change; it is told, but does not refuse the update. */
  readonly warnings: readonly string[];
}

/** The rules of the schema of a resource, ready to judge its objects. */
export class RuleValidator {
  readonly #root: RuleNode;
  readonly #schema: StructuralSchema;

  private constructor(root: RuleNode, schema: StructuralSchema) {
    this.#root = root;
    this.#schema = schema;
  }

  /** Compiles the rules of the schema of a resource; undefined if it has none. */
  static compile(schema: StructuralSchema): RuleValidator | undefined {
    return finish(RuleValidator.compileSteps(schema));
  }

  /** Does the same in steps. */
  static *compileSteps(schema: StructuralSchema): Steps<RuleValidator | undefined> {
    if (!hasRules(schema)) return undefined;
    const root = yield* compileNode(schema, { root: true, functions: functionTable() });
    return root === undefined ? undefined : new RuleValidator(root, schema);
  }

  /** Judges an object, and if there was one before, the change to it. */
  validate(object: unknown, old?: unknown): RuleVerdict {
    const run = new RuleRun();
    run.visit(this.#root, this.#place(object, old));
    return run;
  }

  /**
   * Does the same in steps, which take up to 30 ms each. Returns undefined if an evaluation takes longer. The caller then can repeat the
   * judgement with `validate`, in a thread that may be blocked: one evaluation takes seconds in the worst case.
   */
  *validateSteps(object: unknown, old?: unknown): Steps<RuleVerdict | undefined> {
    const run = new RuleRun({ nowMs: () => performance.now() });
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
