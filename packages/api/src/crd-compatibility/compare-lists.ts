import { sameJson } from '../schema/json-shape.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, spokenOf, tightened } from './schema-pair.js';

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
    return compare({ path, before: before.items, after: after.items, around: spokenOf(pair) });
  if (after['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const reason = 'of an object in the list nothing is kept';
  return [{ path, change: 'schema is gone', class: 'breaking', reason, cure: 'keep the schema of the items' }];
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
    const reason = 'an apply replaces the whole list from now on, and so drops what others have added to it';
    return [{ path, change, class: 'breaking', reason, cure: `keep ${LIST_TYPE}: ${was}` }];
  }
  if (was !== 'atomic') return [keysChanged(path, change)];
  const repeated = is === 'set' ? 'an item' : `${newKeys.join(', ')} of an item`;
  return [
    {
      ...tightened(pair, change, 'keep the list atomic, or make sure that nobody repeats items'),
      reason: `lists that repeat ${repeated} are refused; a list that is stored may go on repeating it. An apply merges from now on, and does not replace`,
    },
  ];
}

function keysChanged(path: string, change: string): LocalFinding {
  const reason =
    'what is the same item is another matter: items that were different clash, and what was applied finds no owner';
  const cure = 'keep the keys, or add a list with another name';
  return { path, change, class: 'breaking', reason, cure };
}
