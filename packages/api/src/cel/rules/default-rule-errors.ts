import { workTimeMs } from '../../time/work-time.js';
import type { Steps } from '../../apply/steps.js';
import { ErrorList } from '../../schema/error-list.js';
import type { FieldError } from '../../schema/field-error.js';
import { hasRules } from '../../schema/has-rules.js';
import { childPath, isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import type { BriefOptions } from '../../schema/time-limit.js';
import { type FunctionTable, functionTable } from '../check/environment.js';
import { FaultyFields } from './faulty-fields.js';
import { compileNode } from './rule-node.js';
import { RuleRun, type RuleRunLimits } from './rule-run.js';

/**
 * Returns the rule errors of the defaults in a schema, in the wording of the API server. A default must be valid as an unchanged value and
 * as a new value. `others` contains the errors found by earlier checks. A default with such an error is not checked. With `isBrief`, throws
 * TakesLong if an evaluation takes long.
 */
export function* defaultRuleErrors(
  schema: StructuralSchema,
  path: string,
  { others = [], isBrief }: BriefOptions & { readonly others?: readonly FieldError[] } = {},
): Steps<readonly FieldError[]> {
  const faulty = new FaultyFields(others);
  const functions = functionTable();
  const limits = isBrief === true ? { nowMs: workTimeMs } : {};
  const found = new ErrorList();
  function* visit(within: StructuralSchema, at: string): Steps<void> {
    if (found.isBreakDue()) yield;
    const own = childPath(at, 'default');
    if (within.default !== undefined && hasRules(within) && !faulty.hasWithin(own)) {
      found.add(yield* errorsOf(within, own, { functions, limits }));
    }
    if (isJsonMap(within.items)) yield* visit(within.items, childPath(at, 'items'));
    for (const [key, property] of Object.entries(within.properties ?? {})) {
      yield* visit(property, `${childPath(at, 'properties')}[${key}]`);
    }
  }
  yield* visit(schema, path);
  return found.errors;
}

function* errorsOf(
  schema: StructuralSchema,
  path: string,
  { functions, limits }: { readonly functions: FunctionTable; readonly limits: RuleRunLimits },
): Steps<readonly FieldError[]> {
  const root = schema['x-kubernetes-embedded-resource'] === true;
  const node = yield* compileNode(schema, { root, functions });
  if (node === undefined) return [];
  const value = schema.default;
  const kept = new RuleRun(limits);
  yield* kept.visitSteps(node, { path, value, old: value, current: undefined, root });
  yield;
  if (kept.errors.length > 0) return kept.errors;
  const made = new RuleRun(limits);
  yield* made.visitSteps(node, { path, value, old: undefined, current: undefined, root });
  yield;
  return made.errors;
}
