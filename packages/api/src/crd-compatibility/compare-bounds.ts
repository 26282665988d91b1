import type { StructuralSchema } from '../schema/structural-schema.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, tightened, widened } from './schema-pair.js';

const LOWER = ['minLength', 'minItems', 'minProperties'] as const;
const UPPER = ['maxLength', 'maxItems', 'maxProperties'] as const;

/** Returns the changes of the bounds on lengths, sizes and numbers, of `multipleOf`, and of `uniqueItems`. */
export function compareBounds(pair: SchemaPair): readonly LocalFinding[] {
  const { before, after } = pair;
  return [
    ...LOWER.flatMap((key) => compared(pair, key, (before[key] ?? 0) - (after[key] ?? 0))),
    ...UPPER.flatMap((key) => compared(pair, key, (after[key] ?? Infinity) - (before[key] ?? Infinity))),
    ...compareEnd(pair, 'minimum'),
    ...compareEnd(pair, 'maximum'),
    ...compareMultiple(pair),
    ...compareUnique(pair),
  ];
}

type Bound = (typeof LOWER)[number] | (typeof UPPER)[number];

/**
 * Returns the change of one bound. `room` is the increase of the allowed range: negative for a stricter bound, and 0 or NaN for an
 * unchanged bound.
 */
function compared(pair: SchemaPair, key: Bound, room: number): readonly LocalFinding[] {
  if (room === 0 || Number.isNaN(room)) return [];
  const change = `${key} ${pair.before[key] ?? 'none'} → ${pair.after[key] ?? 'none'}`;
  return [room > 0 ? widened(pair, change) : tightened(pair, change)];
}

interface End {
  readonly at: number;
  readonly exclusive: boolean;
}

/**
 * Returns the change of the lower or the upper limit of a number. With `exclusiveMinimum` or `exclusiveMaximum`, the range does not include
 * the limit.
 */
function compareEnd(pair: SchemaPair, key: 'minimum' | 'maximum'): readonly LocalFinding[] {
  const [before, after] = [endOf(pair.before, key), endOf(pair.after, key)];
  if (before?.at === after?.at && before?.exclusive === after?.exclusive) return [];
  const change = `${key} ${endText(before)} → ${endText(after)}`;
  return [isWithin(before, after, key) ? widened(pair, change) : tightened(pair, change)];
}

function endOf(schema: StructuralSchema, key: 'minimum' | 'maximum'): End | undefined {
  const at = schema[key];
  if (at === undefined) return undefined;
  return { at, exclusive: schema[key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] === true };
}

function endText(end: End | undefined): string {
  if (end === undefined) return 'none';
  return end.exclusive ? `${end.at} (exclusive)` : String(end.at);
}

/** Whether all values within the old limit are within the new limit. */
function isWithin(before: End | undefined, after: End | undefined, key: 'minimum' | 'maximum'): boolean {
  if (after === undefined) return true;
  if (before === undefined) return false;
  if (before.at === after.at) return before.exclusive || !after.exclusive;
  return key === 'minimum' ? after.at < before.at : after.at > before.at;
}

function compareMultiple(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.multipleOf, pair.after.multipleOf];
  if (before === after) return [];
  const change = `multipleOf ${before ?? 'none'} → ${after ?? 'none'}`;
  const multiples = before !== undefined && after !== undefined && Number.isInteger(before / after);
  return [after === undefined || multiples ? widened(pair, change) : tightened(pair, change)];
}

function compareUnique(pair: SchemaPair): readonly LocalFinding[] {
  const [was, is] = [pair.before.uniqueItems === true, pair.after.uniqueItems === true];
  if (was === is) return [];
  return [is ? tightened(pair, 'uniqueItems added') : widened(pair, 'uniqueItems removed')];
}
