import type { FieldError } from '../schema/field-error.js';
import { issuesText } from '../schema/issues-text.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { DeclaredPlace } from './declared-place.js';
import { type Bound, missingBounds } from './missing-bounds.js';
import { schemaAt, type SchemaPath, schemaPath, type SchemaStep } from './schema-path.js';

/** The path of an error, the schema of the version, and a function that describes the declaration at a path. */
export interface RulePlace {
  readonly path: SchemaPath;
  readonly schema: StructuralSchema;
  readonly place: (steps: readonly SchemaStep[]) => DeclaredPlace;
}

/** Returns the error in a rule as a sentence, or undefined for an error that does not concern a rule. */
export function ruleProblem(error: FieldError, { path, schema, place }: RulePlace): string | undefined {
  const [, index, part = ''] = /^x-kubernetes-validations\[(\d+)\]\.?(.*)$/.exec(path.rest) ?? [];
  const rule = schemaAt(schema, path.steps)?.['x-kubernetes-validations']?.[Number(index)];
  if (index === undefined || rule === undefined) return undefined;
  const what = `${part === '' || part === 'rule' ? '' : `the ${part} of `}rule '${rule.rule.trim()}' on ${place(path.steps).text}`;
  const { finding } = error;
  if (finding?.kind === 'rule-cost') {
    const settable = (steps: readonly SchemaStep[]): boolean => place(steps).own;
    const bounds = missingBounds({ schema, steps: path.steps, index: Number(index), settable });
    return `the estimated cost of ${what} is ${finding.factor} the limit of the API server; ${boundsRemedy(bounds, place)}`;
  }
  if (finding?.kind === 'uncorrelatable') {
    const list = place(schemaPath(finding.within)?.steps ?? []).text;
    return `${what} uses oldSelf, but the API server cannot match the items of ${list} with their old items; set mapKeys on the list, or declare the rule on the list`;
  }
  if (finding?.kind !== 'expression') return `${what} is not valid: ${error.message}`;
  const { detail, issues } = finding;
  return issues.length === 0 ? `${what} is not valid: ${detail}` : `${what} does not compile: ${issuesText(issues)}`;
}

function boundsRemedy(bounds: readonly Bound[], place: RulePlace['place']): string {
  if (bounds.length === 0)
    return 'no bound reduces the cost enough; simplify the rule, or declare the rule on a nested field';
  const written = bounds.map(({ steps, keyword, value }) => `{ ${keyword}: ${value} } or less on ${place(steps).text}`);
  return `set ${written.join(' and ')}`;
}
