import type { KubeObject } from '@kubewright/api';
import type { InformerScope } from './informer-selection.js';
import { labelMatcher } from '../store/label-match.js';
import { selectedLabels } from '../store/selected-labels.js';
import { fieldTerms, labelsCover } from './selector-cover.js';

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

/** Returns a string that identifies the selection of a scope. Scopes with the same string share a watch. */
export function scopeKey({ namespace, except, labels, fields, names }: InformerScope): string {
  return JSON.stringify([
    namespace ?? null,
    except,
    labels ?? '',
    fields ?? '',
    ...(names === undefined ? [] : [names.key]),
  ]);
}

/**
 * Returns whether only the API server can determine which objects a scope selects. This is the case if the scope selects by fields other
 * than name and namespace.
 */
export function isDecidedByServer({ fields }: InformerScope): boolean {
  return fieldTerms(fields).some(({ field }) => field !== NAME && field !== NAMESPACE);
}

/** Returns whether objects in this namespace can be in the scope. Undefined means a cluster-scoped object. */
export function isInScope({ namespace: own, except }: Pick<InformerScope, 'namespace' | 'except'>, namespace?: string) {
  return own === undefined ? namespace === undefined || !except.includes(namespace) : namespace === own;
}

/**
 * Returns whether a watch of `outer` delivers all objects of `inner` with the same `transform`, and the informer can recognize the objects
 * of `inner` among them. If only the server can evaluate the field selector of `inner`, both scopes must have the same label selector and
 * the same field selector.
 */
export function coversScope(outer: InformerScope, inner: InformerScope): boolean {
  if (outer.transform !== inner.transform || !coversNamespaces(outer, inner)) return false;
  if (!labelsCover(outer.labels, inner.labels) || !coversNames(outer, inner)) return false;
  const given = fieldTerms(inner.fields);
  const isCovered = fieldTerms(outer.fields).every(({ field, operator, value }) => {
    if (given.some((term) => term.field === field && term.operator === operator && term.value === value)) return true;
    return field === NAMESPACE && isNamespaceTermOf(inner, operator, value);
  });
  if (!isCovered) return false;
  return !isDecidedByServer(inner) || (outer.labels === inner.labels && outer.fields === inner.fields);
}

/**
 * Returns the part of `inner` that a watch of `outer` delivers: `inner` with fewer names, or `inner` itself. Returns undefined if the watch
 * delivers nothing of `inner`, or if this is not known.
 */
export function coveredPart(outer: InformerScope, inner: InformerScope): InformerScope | undefined {
  if (outer.names === undefined || inner.names === undefined) return coversScope(outer, inner) ? inner : undefined;
  if (!coversScope(withoutNames(outer), withoutNames(inner))) return undefined;
  const { names } = outer.names;
  const common = [...inner.names.names].filter((name) => names.has(name));
  return common.length === 0 ? undefined : { ...inner, names: { key: inner.names.key, names: new Set(common) } };
}

/**
 * Returns whether watches of these scopes deliver all objects of `inner`. If `inner` selects names, several watches together may deliver
 * them. Otherwise, a single watch must deliver all objects.
 */
export function coverNames(outers: readonly InformerScope[], inner: InformerScope): boolean {
  if (inner.names === undefined) return outers.some((outer) => coversScope(outer, inner));
  const base = withoutNames(inner);
  const relevant = outers.filter((outer) => coversScope(withoutNames(outer), base));
  if (relevant.some(({ names }) => names === undefined)) return true;
  return [...inner.names.names].every((name) => relevant.some(({ names }) => names?.names.has(name)));
}

/** Returns a function that tests whether an object is in a scope. Returns undefined if only the server can determine this. */
export function scopeMatcher(scope: InformerScope): ((object: KubeObject) => boolean) | undefined {
  if (isDecidedByServer(scope)) return undefined;
  const hasLabels = labelMatcher(scope.labels);
  const terms = fieldTerms(scope.fields);
  return (object) => {
    const { name, namespace = '' } = object.metadata;
    if (!isInScope(scope, object.metadata.namespace)) return false;
    if (scope.names !== undefined && !scope.names.names.has(name)) return false;
    for (const { field, operator, value } of terms) {
      if (((field === NAME ? name : namespace) === value) !== (operator === '=')) return false;
    }
    return scope.labels === undefined || hasLabels(selectedLabels(object));
  };
}

/** Returns whether a scope selects all objects of its namespaces, except for a restriction by `names`. */
export function isWholeScope(scope: InformerScope): boolean {
  return scope.labels === undefined && fieldTerms(scope.fields).every(({ field }) => field === NAMESPACE);
}

/** Returns the scope without its restriction to names. */
export function withoutNames(scope: InformerScope): InformerScope {
  return { ...scope, names: undefined };
}

function coversNames({ names: outer }: InformerScope, { names: inner, fields }: InformerScope): boolean {
  if (outer === undefined) return true;
  if (inner !== undefined) return [...inner.names].every((name) => outer.names.has(name));
  return fieldTerms(fields).some(
    ({ field, operator, value }) => field === NAME && operator === '=' && outer.names.has(value),
  );
}

function coversNamespaces(outer: InformerScope, inner: InformerScope): boolean {
  if (inner.namespace !== undefined) return isInScope(outer, inner.namespace);
  return outer.namespace === undefined && outer.except.every((each) => inner.except.includes(each));
}

function isNamespaceTermOf(inner: InformerScope, operator: '=' | '!=', value: string): boolean {
  if (operator === '=') return inner.namespace === value;
  return inner.namespace === undefined ? inner.except.includes(value) : inner.namespace !== value;
}
