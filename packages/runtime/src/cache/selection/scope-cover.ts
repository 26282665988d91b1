import type { KubeObject } from '@kubewright/api';
import type { InformerScope } from './informer-selection.js';
import { labelMatcher } from '../store/label-match.js';
import { selectedLabels } from '../store/selected-labels.js';
import { fieldTerms, labelsCover } from './selector-cover.js';

const NAME = 'metadata.name';
const NAMESPACE = 'metadata.namespace';

/** Returns a text that is equal for scopes with the same selection in the same notation. */
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
 * Returns whether only the API server can determine which objects a scope selects, because the scope selects by fields other than name and
 * namespace.
 */
export function isDecidedByServer({ fields }: InformerScope): boolean {
  return fieldTerms(fields).some(({ field }) => field !== NAME && field !== NAMESPACE);
}

/** Returns whether an object in this namespace can be in the scope. Undefined represents objects without a namespace. */
export function isInScope({ namespace: own, except }: Pick<InformerScope, 'namespace' | 'except'>, namespace?: string) {
  return own === undefined ? namespace === undefined || !except.includes(namespace) : namespace === own;
}

/**
 * Returns whether a watch of `outer` delivers every object of `inner`, in the same form, and whether the fields show which objects belong
 * to `inner`. If only the server can determine the objects of `inner`, the selectors of `outer` must be equal.
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
 * Returns the part of `inner` that a watch of `outer` delivers, as a scope. Returns undefined if the watch delivers nothing of `inner`, or
 * if the part is unknown. The result differs from `inner` only in its names.
 */
export function coveredPart(outer: InformerScope, inner: InformerScope): InformerScope | undefined {
  if (outer.names === undefined || inner.names === undefined) return coversScope(outer, inner) ? inner : undefined;
  if (!coversScope(withoutNames(outer), withoutNames(inner))) return undefined;
  const { names } = outer.names;
  const common = [...inner.names.names].filter((name) => names.has(name));
  return common.length === 0 ? undefined : { ...inner, names: { key: inner.names.key, names: new Set(common) } };
}

/** Returns whether the watches of these scopes together deliver every name of `inner`, or whether one of them covers `inner` completely. */
export function coverNames(outers: readonly InformerScope[], inner: InformerScope): boolean {
  if (inner.names === undefined) return outers.some((outer) => coversScope(outer, inner));
  const base = withoutNames(inner);
  const relevant = outers.filter((outer) => coversScope(withoutNames(outer), base));
  if (relevant.some(({ names }) => names === undefined)) return true;
  return [...inner.names.names].every((name) => relevant.some(({ names }) => names?.names.has(name)));
}

/** Returns a test for whether an object is in a scope; undefined if only the server can determine this. */
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

/** Returns whether the scope selects neither by labels nor by fields. Names, and field requirements on the namespace, are allowed. */
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
