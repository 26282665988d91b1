import type { FieldError } from '../../schema/field-error.js';
import { hasRules } from '../../schema/has-rules.js';
import { childPath, isJsonMap } from '../../schema/json-shape.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { type FunctionTable, functionTable } from '../check/environment.js';
import { compileNode } from './rule-node.js';
import { RuleRun } from './rule-run.js';

/**
 * What the rules of a resource's schema say of the defaults in it, in the API server's words. A default has to be allowed as
 * a value that stays as it was, and as one that is new. None of `others`, the errors that were found before, is repeated:
 * a default that has one of them is not judged.
 */
export function defaultRuleErrors(
  schema: StructuralSchema,
  path: string,
  others: readonly FieldError[] = [],
): readonly FieldError[] {
  const faulty = others.map(({ field }) => field);
  const functions = functionTable();
  const errorsWithin = (within: StructuralSchema, at: string): readonly FieldError[] => {
    if (!hasRules(within)) return [];
    const own = childPath(at, 'default');
    const judged = within.default !== undefined && !faulty.some((field) => field.startsWith(own));
    return [
      ...(judged ? errorsOf(within, own, functions) : []),
      ...(isJsonMap(within.items) ? errorsWithin(within.items, childPath(at, 'items')) : []),
      ...Object.entries(within.properties ?? {}).flatMap(([key, property]) =>
        errorsWithin(property, `${childPath(at, 'properties')}[${key}]`),
      ),
    ];
  };
  return errorsWithin(schema, path);
}

function errorsOf(schema: StructuralSchema, path: string, functions: FunctionTable): readonly FieldError[] {
  const root = schema['x-kubernetes-embedded-resource'] === true;
  const node = compileNode(schema, { root, functions });
  if (node === undefined) return [];
  const value = schema.default;
  const kept = new RuleRun();
  kept.visit(node, { path, value, old: value, current: undefined, root });
  if (kept.errors.length > 0) return kept.errors;
  const made = new RuleRun();
  made.visit(node, { path, value, old: undefined, current: undefined, root });
  return made.errors;
}
