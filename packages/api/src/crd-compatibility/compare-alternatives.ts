import { sameJson } from '../schema/json-shape.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { type LocalFinding, shown } from './compatibility-finding.js';
import { typeOf } from './compare-types.js';
import { type SchemaPair, tightened, widened } from './schema-pair.js';

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Returns the changes of `allOf`, `anyOf`, `oneOf` and `not`. Does not determine which values a changed alternative rejects. */
export function compareAlternatives(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [alternativesOf(pair.before), alternativesOf(pair.after)];
  return [
    ...compareAll(pair, before.allOf, after.allOf),
    ...compareAny(pair, before.anyOf, after.anyOf),
    ...compareOne(pair, before.oneOf, after.oneOf),
    ...compareNot(pair),
  ];
}

type Alternatives = Readonly<Record<'allOf' | 'anyOf' | 'oneOf', readonly StructuralSchema[]>>;

/** Returns the alternatives of a schema. Omits alternatives that only repeat int-or-string, because they do not add a constraint. */
function alternativesOf(schema: StructuralSchema): Alternatives {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  if (typeOf(schema) !== 'int-or-string') return { allOf, anyOf, oneOf };
  return {
    allOf: allOf.filter((each) => !sameJson(each, { anyOf: INT_OR_STRING })),
    anyOf: sameJson(anyOf, INT_OR_STRING) ? [] : anyOf,
    oneOf,
  };
}

function compareAll(
  pair: SchemaPair,
  before: readonly StructuralSchema[],
  after: readonly StructuralSchema[],
): readonly LocalFinding[] {
  const removed = without(before, after);
  const added = without(after, before);
  return [
    ...removed.map((each) => widened(pair, `allOf removed: ${shown(each)}`)),
    ...added.map((each) => tightened(pair, `allOf added: ${shown(each)}`)),
  ];
}

function compareAny(
  pair: SchemaPair,
  before: readonly StructuralSchema[],
  after: readonly StructuralSchema[],
): readonly LocalFinding[] {
  const [removed, added] = [without(before, after), without(after, before)];
  if (removed.length === 0 && added.length === 0) return [];
  if (after.length === 0) return [widened(pair, 'anyOf removed')];
  if (before.length === 0) return [tightened(pair, `anyOf added: ${after.map(shown).join(', ')}`)];
  return [
    ...removed.map((each) => tightened(pair, `anyOf alternative removed: ${shown(each)}`)),
    ...added.map((each) => widened(pair, `anyOf alternative added: ${shown(each)}`)),
  ];
}

/**
 * Treats each change of `oneOf` as a restriction, because a value can match two alternatives or none after an alternative is added or
 * removed.
 */
function compareOne(
  pair: SchemaPair,
  before: readonly StructuralSchema[],
  after: readonly StructuralSchema[],
): readonly LocalFinding[] {
  const same = before.length === after.length && without(before, after).length === 0;
  if (same) return [];
  if (after.length === 0) return [widened(pair, 'oneOf removed')];
  return [tightened(pair, `oneOf ${before.length === 0 ? 'added' : 'changed'}: ${after.map(shown).join(', ')}`)];
}

function compareNot(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.not, pair.after.not];
  if (sameJson(before, after)) return [];
  if (after === undefined) return [widened(pair, 'not removed')];
  return [tightened(pair, `not ${before === undefined ? 'added' : 'changed'}: ${shown(after)}`)];
}

function without<T>(list: readonly T[], others: readonly T[]): readonly T[] {
  return list.filter((each) => !others.some((other) => sameJson(each, other)));
}
