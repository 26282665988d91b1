import { printCode } from '../crd-classes/code.js';

/**
 * Returns one import declaration for each module, packages first.
 * @param imports the names by module, such as `Website`, `type Violation`, or `Website as WebsiteV1`
 */
export function importLines(imports: ReadonlyMap<string, readonly string[]>): string {
  const isNear = (module: string): number => Number(module.startsWith('.'));
  return [...imports]
    .toSorted(([a], [b]) => isNear(a) - isNear(b) || (a < b ? -1 : 1))
    .map(([module, names]) => importLine(module, [...new Set(names)]))
    .join('');
}

function importLine(module: string, names: readonly string[]): string {
  const bare = (name: string): string => name.replace('type ', '');
  const parts = names.toSorted((a, b) => (bare(a) < bare(b) ? -1 : 1));
  return `${printCode(['import ', { brackets: '{}', parts }, ` from '${module}';`], 0)}\n`;
}
