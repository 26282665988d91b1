import { compileSchema } from '../schema/compiled-schema.js';
import { sameJson } from '../schema/json-shape.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { type LocalFinding, shown } from './compatibility-finding.js';
import { typeOf } from './compare-types.js';
import { type SchemaPair, tightened, widened } from './schema-pair.js';

/** Returns the changes of the accepted values: null, enum, format and pattern. */
export function compareValues(pair: SchemaPair): readonly LocalFinding[] {
  return [...compareNull(pair), ...compareEnum(pair), ...compareFormat(pair), ...comparePattern(pair)];
}

function compareNull(pair: SchemaPair): readonly LocalFinding[] {
  const { path, before, after } = pair;
  const [was, is] = [keepsNull(before), keepsNull(after)];
  if (was === is) return [];
  if (is) return [widened(pair, 'nullable is set', 'null is accepted; clients have to expect it')];
  const reason =
    'a null that is stored reads as if the field were missing, or as its default, and is refused in a list';
  return [{ path, change: 'nullable is not set any more', class: 'breaking', reason, cure: 'keep it nullable' }];
}

function keepsNull(schema: StructuralSchema): boolean {
  return schema.nullable === true || (typeOf(schema) === 'anything' && schema.default === undefined);
}

function compareEnum(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.enum ?? [], pair.after.enum ?? []];
  if (after.length === 0) return before.length === 0 ? [] : [widened(pair, 'enum is gone')];
  if (before.length === 0) return [tightened(pair, `enum is new: ${after.map(shown).join(', ')}`)];
  const gone = before.filter((value) => !after.some((each) => sameJson(each, value)));
  const added = after.filter((value) => !before.some((each) => sameJson(each, value)));
  return [
    ...(gone.length === 0 ? [] : [tightened(pair, `enum without ${gone.map(shown).join(', ')}`)]),
    ...(added.length === 0
      ? []
      : [
          widened(
            pair,
            `enum with ${added.map(shown).join(', ')}`,
            'all that was accepted still is; clients may find a value that they do not know',
          ),
        ]),
  ];
}

function compareFormat(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.format ?? '', pair.after.format ?? ''];
  if (before === after) return [];
  const change = `format ${before || 'none'} → ${after || 'none'}`;
  if (!restricts(pair)) return [widened(pair, change)];
  return [tightened(pair, change)];
}

/** Whether the new format rejects values that the old format accepts. The API server does not validate unknown formats. */
function restricts({ before, after }: SchemaPair): boolean {
  const [was, is] = [compileSchema(before).format, compileSchema(after).format];
  if (is === '' || is === was || is === 'int64' || is === 'double') return false;
  if (is === 'float') return was !== 'int32' && typeOf(before) !== 'integer';
  return true;
}

function comparePattern(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.pattern ?? '', pair.after.pattern ?? ''];
  if (before === after) return [];
  if (after === '') return [widened(pair, `pattern ${before} is gone`)];
  return [tightened(pair, before === '' ? `pattern is new: ${after}` : `pattern ${before} → ${after}`)];
}
