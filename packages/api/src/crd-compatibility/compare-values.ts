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
  if (is) return [widened(pair, 'nullable added', 'clients must handle null')];
  const reason = 'a stored null is read as a missing field or as the default, and is rejected in a list';
  return [{ path, change: 'nullable removed', class: 'breaking', reason, remedy: 'keep the field nullable' }];
}

function keepsNull(schema: StructuralSchema): boolean {
  return schema.nullable === true || (typeOf(schema) === 'anything' && schema.default === undefined);
}

function compareEnum(pair: SchemaPair): readonly LocalFinding[] {
  const [before, after] = [pair.before.enum ?? [], pair.after.enum ?? []];
  if (after.length === 0) return before.length === 0 ? [] : [widened(pair, 'enum removed')];
  if (before.length === 0) return [tightened(pair, `enum added: ${after.map(shown).join(', ')}`)];
  const removed = before.filter((value) => !after.some((each) => sameJson(each, value)));
  const added = after.filter((value) => !before.some((each) => sameJson(each, value)));
  return [
    ...(removed.length === 0 ? [] : [tightened(pair, `enum values removed: ${removed.map(shown).join(', ')}`)]),
    ...(added.length === 0
      ? []
      : [
          widened(
            pair,
            `enum values added: ${added.map(shown).join(', ')}`,
            'all valid values stay valid; clients may read unknown values',
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
  if (after === '') return [widened(pair, `pattern ${before} removed`)];
  return [tightened(pair, before === '' ? `pattern added: ${after}` : `pattern ${before} → ${after}`)];
}
