import type { StructuralSchema } from '../schema/structural-schema.js';
import type { ListConstraints, NumberConstraints, ObjectConstraints, StringConstraints } from './field-options.js';

/** All constraints that options can set on values. */
export interface Constraints extends StringConstraints, NumberConstraints, ListConstraints, ObjectConstraints {
  readonly format?: string;
}

const keywords = [
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/** Returns the constraints of the options as schema keywords. */
export function constraintsOf(options: Constraints): StructuralSchema {
  const given = keywords.filter((keyword) => options[keyword] !== undefined);
  const { pattern } = options;
  return {
    ...Object.fromEntries(given.map((keyword) => [keyword, options[keyword]])),
    ...(pattern === undefined ? {} : { pattern: typeof pattern === 'string' ? pattern : pattern.source }),
  };
}

/**
 * Returns a schema with more constraints. The tighter of two bounds applies. Constraints that cannot be merged, such as two patterns, are
 * combined with `allOf`.
 */
export function narrowed(schema: StructuralSchema, more: StructuralSchema): StructuralSchema {
  const apart = (['pattern', 'format', 'multipleOf'] as const).filter(
    (keyword) => schema[keyword] !== undefined && more[keyword] !== undefined && schema[keyword] !== more[keyword],
  );
  const alternative = Object.fromEntries(apart.map((keyword) => [keyword, more[keyword]]));
  return {
    ...more,
    ...schema,
    ...bounds(schema, more),
    ...(apart.length === 0 ? {} : { allOf: [...(schema.allOf ?? []), alternative] }),
  };
}

const ranges = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Returns the reason why no value can meet both bounds of a schema, or undefined if the bounds do not conflict. */
export function emptyRange(schema: StructuralSchema): string | undefined {
  const empty = ranges.find(([low, high]) => (schema[low] ?? -Infinity) > (schema[high] ?? Infinity));
  if (empty === undefined) return undefined;
  const [low, high] = empty;
  return `has ${low} ${schema[low]}, which is greater than ${high} ${schema[high]}; swap them`;
}

function bounds(schema: StructuralSchema, more: StructuralSchema): StructuralSchema {
  const tighter = ranges.flatMap(([low, high]) => {
    if (low === 'minimum') return [];
    return [
      [low, Math.max(schema[low] ?? -Infinity, more[low] ?? -Infinity)],
      [high, Math.min(schema[high] ?? Infinity, more[high] ?? Infinity)],
    ] as const;
  });
  const finite = tighter.filter(([, bound]) => Number.isFinite(bound));
  return { ...Object.fromEntries(finite), ...limit(schema, more, 'minimum'), ...limit(schema, more, 'maximum') };
}

const excluding = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

/** Returns the tighter of two limits. If the limits are equal, an exclusive limit takes precedence. */
function limit(schema: StructuralSchema, more: StructuralSchema, side: 'minimum' | 'maximum'): StructuralSchema {
  const exclusive = excluding[side];
  const [own, other] = [schema, more].filter((each) => each[side] !== undefined);
  if (own === undefined) return {};
  const tighter = other === undefined || isTighter(own, other, side) ? own : other;
  const excludes = tighter[exclusive] === true || (other?.[side] === own[side] && own[exclusive] === true);
  return { [side]: tighter[side], ...(excludes ? { [exclusive]: true } : {}) };
}

function isTighter(a: StructuralSchema, b: StructuralSchema, side: 'minimum' | 'maximum'): boolean {
  const [left = 0, right = 0] = [a[side], b[side]];
  return side === 'minimum' ? left > right : left < right;
}
