import { loadCel } from '../crd-rules/load-cel.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { schemaAt, type SchemaStep } from './schema-path.js';

/** A bound that is missing from a schema or too large. `value` is the bound to set instead: 10,000, 1,000, 100 or 10. */
export interface Bound {
  readonly steps: readonly SchemaStep[];
  readonly keyword: 'maxItems' | 'maxLength' | 'maxProperties';
  readonly value: number;
}

/** A CEL rule whose estimated cost exceeds the limit, and the schemas in which bounds can be set. */
export interface CostlyRule {
  readonly schema: StructuralSchema;
  readonly steps: readonly SchemaStep[];
  /** The index of the rule in `x-kubernetes-validations` of the schema at `steps`. */
  readonly index: number;
  readonly settable: (steps: readonly SchemaStep[]) => boolean;
}

const sizes = [10_000, 1000, 100, 10];
const mostPlaces = 40;

/**
 * Returns bounds with which the cost of a rule does not exceed the limit. If a single bound is sufficient, returns the largest sufficient
 * bound of 10,000, 1,000, 100 and 10. Otherwise, returns several bounds that are all necessary. Returns an empty list if no bounds reduce
 * the cost enough.
 */
export function missingBounds(rule: CostlyRule): readonly Bound[] {
  const places = boundable(rule);
  const looser = (value: number): readonly Bound[] =>
    places.filter(({ now }) => now > value).map(({ steps, keyword }) => ({ steps, keyword, value }));
  const single = sizes.flatMap(looser).find((bound) => fits(rule, [bound]));
  if (single !== undefined) return [single];
  for (const value of sizes) {
    const all = looser(value);
    if (!fits(rule, all)) continue;
    return all.reduce<readonly Bound[]>((kept, bound) => {
      const fewer = kept.filter((each) => each !== bound);
      return fits(rule, fewer) ? fewer : kept;
    }, all);
  }
  return [];
}

interface Boundable extends Omit<Bound, 'value'> {
  readonly now: number;
}

/**
 * Returns the schemas that can have a bound, outermost first: the lists and maps around the rule, then the lists, maps and strings within
 * the value of the rule. Stops at about 40 schemas.
 */
function boundable({ schema, steps, settable }: CostlyRule): readonly Boundable[] {
  const found: Boundable[] = [];
  const look = (at: StructuralSchema | undefined, path: readonly SchemaStep[]): void => {
    const keyword = at === undefined ? undefined : boundOf(at);
    if (keyword !== undefined && settable(path)) found.push({ steps: path, keyword, now: at?.[keyword] ?? Infinity });
  };
  steps.forEach((_, depth) => look(schemaAt(schema, steps.slice(0, depth)), steps.slice(0, depth)));
  const visit = (at: StructuralSchema, path: readonly SchemaStep[]): void => {
    if (found.length >= mostPlaces) return;
    look(at, path);
    for (const [name, property] of Object.entries(at.properties ?? {})) visit(property, [...path, { property: name }]);
    if (at.items !== undefined) visit(at.items, [...path, 'items']);
    if (typeof at.additionalProperties === 'object') visit(at.additionalProperties, [...path, 'values']);
  };
  const own = schemaAt(schema, steps);
  if (own !== undefined) visit(own, steps);
  return found;
}

function boundOf({ type, enum: values, format, additionalProperties }: StructuralSchema): Bound['keyword'] | undefined {
  if (type === 'array') return 'maxItems';
  if (type === 'string') return values !== undefined || format === 'date-time' ? undefined : 'maxLength';
  return type === 'object' && typeof additionalProperties === 'object' ? 'maxProperties' : undefined;
}

function fits(rule: CostlyRule, bounds: readonly Bound[]): boolean {
  const bounded = bounds.reduce(
    (schema, { steps, keyword, value }) => changed(schema, steps, (at) => ({ ...at, [keyword]: value })),
    alone(rule.schema, rule.steps, rule.index),
  );
  return loadCel()
    .checkExpressions(bounded, '')
    .every(({ finding }) => finding?.kind !== 'rule-cost' && finding?.kind !== 'schema-cost');
}

/** Returns a schema with only one of its rules. */
function alone(schema: StructuralSchema, steps: readonly SchemaStep[], index: number): StructuralSchema {
  const rules = schemaAt(schema, steps)?.['x-kubernetes-validations'] ?? [];
  const kept = rules.slice(index, index + 1);
  return changed(withoutRules(schema), steps, (at) => ({ ...at, 'x-kubernetes-validations': kept }));
}

function withoutRules(schema: StructuralSchema): StructuralSchema {
  const { 'x-kubernetes-validations': _, properties, items, additionalProperties, ...others } = schema;
  const bare = Object.entries(properties ?? {}).map(([name, each]) => [name, withoutRules(each)] as const);
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(bare) }),
    ...(items === undefined ? {} : { items: withoutRules(items) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object' ? withoutRules(additionalProperties) : additionalProperties,
        }),
  };
}

/** Returns the schema with `change` applied to the nested schema at the given steps. */
function changed(
  schema: StructuralSchema,
  steps: readonly SchemaStep[],
  change: (at: StructuralSchema) => StructuralSchema,
): StructuralSchema {
  const [step, ...others] = steps;
  if (step === undefined) return change(schema);
  const child = schemaAt(schema, [step]);
  if (child === undefined) return schema;
  const next = changed(child, others, change);
  if (step === 'items') return { ...schema, items: next };
  if (step === 'values') return { ...schema, additionalProperties: next };
  return { ...schema, properties: { ...schema.properties, [step.property]: next } };
}
