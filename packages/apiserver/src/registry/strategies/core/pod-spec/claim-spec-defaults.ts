import type { JsonDraft } from '../../../objects/api-object.js';
import { copyJson, isObject, stringAt } from '../../../objects/json-object.js';

/** Sets the defaults of the spec of a PersistentVolumeClaim or of a claim template. */
export function defaultClaimSpec(spec: JsonDraft): void {
  spec['volumeMode'] ??= 'Filesystem';
  spec['resources'] ??= {};
}

/**
 * Sets `dataSource` or `dataSourceRef` of a claim if only the other field is set. A `dataSourceRef` with a namespace does not set
 * `dataSource`. Removes a `dataSource` that is neither a claim nor a snapshot.
 */
export function normalizeSources(spec: JsonDraft): void {
  if (isObject(spec['dataSource']) && !isKnownSource(spec['dataSource'])) delete spec['dataSource'];
  const { dataSource, dataSourceRef } = spec;
  if (isObject(dataSource) && dataSourceRef === undefined) spec['dataSourceRef'] = copyJson(dataSource);
  if (!isObject(dataSourceRef) || dataSource !== undefined) return;
  if (stringAt(dataSourceRef, 'namespace') !== '') return;
  const { apiGroup, kind, name } = dataSourceRef;
  spec['dataSource'] = { ...(apiGroup === undefined ? {} : { apiGroup }), kind, name };
}

function isKnownSource(source: JsonDraft): boolean {
  const group = stringAt(source, 'apiGroup');
  const kind = stringAt(source, 'kind');
  return group === ''
    ? kind === 'PersistentVolumeClaim'
    : group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot';
}
