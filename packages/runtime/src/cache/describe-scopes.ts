import type { InformerScope } from './informer-selection.js';

const MOST = 3;

/** Describes what scopes select, for messages: "objects with labels 'app=web' in namespace 'a'". */
export function describeScopes(scopes: readonly InformerScope[]): string {
  if (scopes.length === 0) return 'no objects of this kind yet';
  const named = scopes.slice(0, MOST).map(describe);
  const more = scopes.length > MOST ? ` and ${scopes.length - MOST} other selections` : '';
  return `${named.join(', ')}${more}`;
}

function describe({ namespace, except, labels, fields, names }: InformerScope): string {
  const selectors = [
    labels === undefined ? [] : [`labels '${labels}'`],
    fields === undefined ? [] : [`fields '${fields}'`],
  ].flat();
  const which = names === undefined ? 'objects' : `${names.names.size} referenced objects`;
  const all = names === undefined ? 'all objects' : which;
  const objects = selectors.length === 0 ? all : `${which} with ${selectors.join(' and ')}`;
  if (namespace !== undefined) return `${objects} in namespace '${namespace}'`;
  return except.length > 0 ? `${objects} outside of the namespaces ${except.join(', ')}` : objects;
}
