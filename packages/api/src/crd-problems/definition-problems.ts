import { definitionErrors } from '../crd-rules/crd-errors.js';
import type { UncheckedDefinition } from '../crd-rules/unchecked-definition.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import type { KindRef } from '../objects/kube-object.js';
import type { FieldError } from '../schema/field-error.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { declaredPlace } from './declared-place.js';
import { ruleProblem } from './rule-problem.js';
import { schemaAt, type SchemaPath, schemaPath, type SchemaStep } from './schema-path.js';

/**
 * Returns a sentence for each error for which the API server would reject a definition. For an error in a schema, the sentence contains the
 * class and the field, and the fix if the fix is known. Reports the total cost of the rules only if no single rule is too expensive.
 * @param kinds the kinds of the versions, in the order of the versions
 */
export function definitionProblems(crd: CustomResourceDefinition, kinds: readonly KindRef[]): readonly string[] {
  const errors = definitionErrors(asCreated(crd));
  const own = errors.filter(({ finding }) => finding?.kind !== 'schema-cost-share');
  const single = own.some(({ finding }) => finding?.kind === 'rule-cost');
  return own
    .filter(({ finding }) => !single || finding?.kind !== 'schema-cost')
    .map((error) => problem(error, { crd, kinds, errors }));
}

interface Subject {
  readonly crd: CustomResourceDefinition;
  readonly kinds: readonly KindRef[];
  readonly errors: readonly FieldError[];
}

/** Returns the definition with the defaults that the API server applies before validation. */
function asCreated(crd: CustomResourceDefinition): UncheckedDefinition {
  const storedVersions = crd.spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const filled = { ...crd, spec: { conversion: { strategy: 'None' }, ...crd.spec }, status: { storedVersions } };
  return filled;
}

function problem(error: FieldError, { crd, kinds, errors }: Subject): string {
  const path = schemaPath(error.field);
  const kind = path === undefined ? undefined : kinds[path.version];
  if (path === undefined || kind === undefined) return `${error.field}: ${error.message}`;
  const schema = crd.spec.versions[path.version]?.schema?.openAPIV3Schema as StructuralSchema;
  const place = (steps: readonly SchemaStep[]) => declaredPlace(kind, steps);
  const rule = ruleProblem(error, { path, schema, place });
  if (rule !== undefined) return rule;
  if (error.finding?.kind === 'schema-cost') return totalProblem(error.finding.factor, errors, place);
  const missing = path.rest === '' && schemaAt(schema, path.steps) === undefined;
  const { text } = place(missing ? path.steps.slice(0, -1) : path.steps);
  if (missing) return `the schema of ${text} is not valid: ${error.field.split('.').at(-1)}: ${error.message}`;
  const detail = `${path.rest === '' ? '' : `${path.rest}: `}${error.message}`;
  if (path.rest.startsWith('default'))
    return `the default of ${text} does not match its schema: ${detail}; correct the default or the schema`;
  return `the schema of ${text} is not valid: ${detail}${remedyOf(path)}`;
}

function remedyOf({ rest }: SchemaPath): string {
  if (rest === 'uniqueItems') return "; set listType: 'set' instead";
  if (rest === 'type') return '; set the type of its values, or use Field.unknown';
  return '';
}

function totalProblem(
  factor: string,
  errors: readonly FieldError[],
  place: (steps: readonly SchemaStep[]) => { readonly text: string },
): string {
  const costly = errors.flatMap(({ field, finding }) => {
    const path = finding?.kind === 'schema-cost-share' ? schemaPath(field) : undefined;
    return path === undefined ? [] : [place(path.steps).text];
  });
  return `the estimated cost of all rules is ${factor} the limit of the API server; set maxLength, maxItems and maxProperties on the strings, lists and maps that the rules use, first for the rules on ${[...new Set(costly)].join(', ')}`;
}
