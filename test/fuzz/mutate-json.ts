import { inheritedNames, largeJson, unusualJson, unusualTexts } from './unusual-values.js';
import type { Random } from './random.js';

/** A JSON value whose parts may be raw JSON text. */
export type Tree = { readonly raw: string } | { readonly list: Tree[] } | { readonly map: [string, Tree][] };

/** Parses a JSON text into a tree; returns undefined for a text that is not JSON. */
export function treeOf(text: string): Tree | undefined {
  try {
    return fromValue(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fromValue(value: unknown): Tree {
  if (Array.isArray(value)) return { list: value.map(fromValue) };
  if (typeof value !== 'object' || value === null) return { raw: JSON.stringify(value) };
  return { map: Object.entries(value).map(([key, child]) => [key, fromValue(child)]) };
}

/** Returns the JSON text of a tree. */
export function textOf(tree: Tree): string {
  if ('raw' in tree) return tree.raw;
  if ('list' in tree) return `[${tree.list.map(textOf).join(',')}]`;
  return `{${tree.map.map(([key, child]) => `${JSON.stringify(key)}:${textOf(child)}`).join(',')}}`;
}

/** Changes one list or map of a tree in place and returns the tree, or rarely returns another value. May insert parts of `donor` trees. */
export function mutate(tree: Tree, random: Random, donor: () => Tree | undefined): Tree {
  const places = containersOf(tree);
  if (places.length === 0 || random.chance(0.02)) return unusualTree(random, donor);
  const place = random.pick(places);
  if ('list' in place) mutateList(place.list, random, donor);
  else mutateMap(place.map, random, donor);
  return tree;
}

/** Returns the JSON pointer of each part of a tree. */
export function pointersOf(tree: Tree, path = ''): readonly string[] {
  if ('raw' in tree) return [path];
  const children: readonly (readonly [string | number, Tree])[] =
    'list' in tree ? [...tree.list.entries()] : tree.map.map(([key, child]) => [key, child] as const);
  return [path, ...children.flatMap(([key, child]) => pointersOf(child, `${path}/${escaped(String(key))}`))];
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function containersOf(tree: Tree): readonly Exclude<Tree, { readonly raw: string }>[] {
  if ('raw' in tree) return [];
  const children = 'list' in tree ? tree.list : tree.map.map(([, child]) => child);
  return [tree, ...children.flatMap(containersOf)];
}

function mutateMap(map: [string, Tree][], random: Random, donor: () => Tree | undefined): void {
  const at = random.below(map.length + 1);
  const entry = map[at];
  if (entry === undefined) {
    map.push([random.pick([...inheritedNames, ...unusualTexts]), unusualTree(random, donor)]);
    return;
  }
  switch (random.below(6)) {
    case 0:
      map.splice(at, 1);
      return;
    case 1:
      entry[0] = random.pick([...inheritedNames, ...unusualTexts]);
      return;
    case 2:
      map.push([entry[0], unusualTree(random, donor)]);
      return;
    default:
      entry[1] = unusualTree(random, donor);
  }
}

function mutateList(list: Tree[], random: Random, donor: () => Tree | undefined): void {
  const at = random.below(list.length + 1);
  const item = list[at];
  if (item === undefined) {
    list.push(unusualTree(random, donor));
    return;
  }
  switch (random.below(4)) {
    case 0:
      list.splice(at, 1);
      return;
    case 1:
      for (let count = random.pick([1, 2, 300]); count > 0; count -= 1) list.push(item);
      return;
    default:
      list[at] = unusualTree(random, donor);
  }
}

function unusualTree(random: Random, donor: () => Tree | undefined): Tree {
  const kind = random.next();
  if (kind < 0.35) return { raw: random.pick(unusualJson) };
  if (kind < 0.7) return { raw: JSON.stringify(random.pick(unusualTexts)) };
  if (kind < 0.75) return { raw: largeJson(random) };
  const other = donor();
  if (other === undefined) return { raw: 'null' };
  const places = [other, ...containersOf(other)];
  return random.pick(places);
}
