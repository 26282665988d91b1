import type { InformerScope } from './informer-selection.js';

const MOST = 3;

/** Returns a description of scopes for messages, such as "objects with labels 'app=web' in namespace 'a'". */
export function describeScopes(scopes: readonly InformerScope[]): string {
  if (scopes.length === 0) return 'no objects of this kind yet';
  const named = scopes.slice(0, MOST).map(describe);
  const others = scopes.length - MOST;
  const more = others > 0 ? ` and ${others} other selection${others === 1 ? '' : 's'}` : '';
  return `${named.join(', ')}${more}`;
}

function describe({ namespace, except, labels, fields, names }: InformerScope): string {
  const selectors = [
    labels === undefined ? [] : [`labels '${labels}'`],
    fields === undefined ? [] : [`fields '${fields}'`],
  ].flat();
  const selected = selectors.length === 0 ? '' : ` with ${selectors.join(' and ')}`;
  const objects = `${quantity(names?.names.size, selectors.length > 0)}${selected}`;
  if (namespace !== undefined) return `${objects} in namespace '${namespace}'`;
  return except.length > 0 ? `${objects} outside the namespaces ${except.join(', ')}` : objects;
}

function quantity(references: number | undefined, isSelected: boolean): string {
  if (references === undefined) return isSelected ? 'objects' : 'all objects';
  return references === 1 ? '1 referenced object' : `${references} referenced objects`;
}
