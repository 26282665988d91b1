import { sameJson } from '../schema/json-shape.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, describe, tightened } from './schema-pair.js';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';

/** Returns the changes of a list: its items and its merge strategy. */
export function compareLists(
  pair: SchemaPair,
  compare: (pair: SchemaPair) => readonly LocalFinding[],
): readonly LocalFinding[] {
  return [...compareMerging(pair), ...compareItems(pair, compare)];
}

function compareItems(
  pair: SchemaPair,
  compare: (pair: SchemaPair) => readonly LocalFinding[],
): readonly LocalFinding[] {
  const { before, after } = pair;
  const path = `${pair.path}[*]`;
  if (before.items === undefined) return [];
  if (after.items !== undefined)
    return compare({ path, before: before.items, after: after.items, around: describe(pair) });
  if (after['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const reason = 'the API server drops all fields of objects in the list';
  return [{ path, change: 'schema removed', class: 'breaking', reason, remedy: 'keep the schema of the items' }];
}

function compareMerging(pair: SchemaPair): readonly LocalFinding[] {
  const { path, before, after } = pair;
  const [was, is] = [before[LIST_TYPE] ?? 'atomic', after[LIST_TYPE] ?? 'atomic'];
  const [keys, newKeys] = [before[LIST_KEYS] ?? [], after[LIST_KEYS] ?? []];
  if (was === is) {
    if (was !== 'map' || sameJson([...keys].toSorted(), [...newKeys].toSorted())) return [];
    return [keysChanged(path, `${LIST_KEYS} ${keys.join(', ')} → ${newKeys.join(', ')}`)];
  }
  const change = `${LIST_TYPE} ${was} → ${is}${is === 'map' ? ` by ${newKeys.join(', ')}` : ''}`;
  if (is === 'atomic') {
    const reason = 'server-side apply then replaces the whole list, and drops items of other field managers';
    return [{ path, change, class: 'breaking', reason, remedy: `keep ${LIST_TYPE}: ${was}` }];
  }
  if (was !== 'atomic') return [keysChanged(path, change)];
  const repeated = is === 'set' ? 'duplicate items' : `two items with the same ${newKeys.join(', ')}`;
  return [
    {
      ...tightened(pair, change, 'keep the list atomic, or make sure that no client sends duplicate items'),
      reason: `new lists with ${repeated} are rejected, and stored lists stay valid; server-side apply then merges the list and no longer replaces it`,
    },
  ];
}

function keysChanged(path: string, change: string): LocalFinding {
  const reason =
    'the identity of items changes: distinct items can conflict, and applied items lose their field manager';
  const remedy = 'keep the keys, or add a list with a different name';
  return { path, change, class: 'breaking', reason, remedy };
}
