import { definitionErrors } from '../crd-rules/crd-errors.js';
import type { UncheckedDefinition } from '../crd-rules/unchecked-definition.js';
import type { CustomResourceDefinition } from '../generated/apiextensions/v1.js';
import type { KindRef } from '../objects/kube-object.js';
import type { FieldError } from '../schema/field-error.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { declaredPlace } from './declared-place.js';
import { ruleMistake } from './rule-mistake.js';
import { schemaAt, type SchemaPath, schemaPath, type SchemaStep } from './schema-path.js';

/**
 * Returns the errors for which the API server would reject a definition. Each sentence contains the class, the field and the fix.
 * @param kinds the kinds of the versions, in the order of the versions
 */
export function definitionMistakes(crd: CustomResourceDefinition, kinds: readonly KindRef[]): readonly string[] {
  const errors = definitionErrors(asCreated(crd));
  const own = errors.filter(({ finding }) => finding?.kind !== 'schema-cost-share');
  const single = own.some(({ finding }) => finding?.kind === 'rule-cost');
  return own
    .filter(({ finding }) => !single || finding?.kind !== 'schema-cost')
    .map((error) => mistake(error, { crd, kinds, errors }));
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

function mistake(error: FieldError, { crd, kinds, errors }: Subject): string {
  const path = schemaPath(error.field);
  const kind = path === undefined ? undefined : kinds[path.version];
  if (path === undefined || kind === undefined) return `${error.field}: ${error.message}`;
  const schema = crd.spec.versions[path.version]?.schema?.openAPIV3Schema as StructuralSchema;
  const place = (steps: readonly SchemaStep[]) => declaredPlace(kind, steps);
  const rule = ruleMistake(error, { path, schema, place });
  if (rule !== undefined) return rule;
  if (error.finding?.kind === 'schema-cost') return totalMistake(error.finding.factor, errors, place);
  const missing = path.rest === '' && schemaAt(schema, path.steps) === undefined;
  const { text } = place(missing ? path.steps.slice(0, -1) : path.steps);
  if (missing) return `the schema of ${text} is refused: ${error.field.split('.').at(-1)}: ${error.message}`;
  const detail = `${path.rest === '' ? '' : `${path.rest}: `}${error.message}`;
  if (path.rest.startsWith('default'))
    return `the default of ${text} does not fit its own schema: ${detail}; mend one of them`;
  return `the schema of ${text} is refused: ${detail}${cureOf(path)}`;
}

function cureOf({ rest }: SchemaPath): string {
  if (rest === 'uniqueItems') return "; write listType: 'set' in its place";
  if (rest === 'type') return '; say what type its values have, or use Field.unknown';
  return '';
}

function totalMistake(
  factor: string,
  errors: readonly FieldError[],
  place: (steps: readonly SchemaStep[]) => { readonly text: string },
): string {
  const costly = errors.flatMap(({ field, finding }) => {
    const path = finding?.kind === 'schema-cost-share' ? schemaPath(field) : undefined;
    return path === undefined ? [] : [place(path.steps).text];
  });
  return `the rules together may cost ${factor} what the API server lets those of a kind cost; bound the texts, lists and maps that they speak of by maxLength, maxItems and maxProperties, above all those on ${[...new Set(costly)].join(', ')}`;
}
