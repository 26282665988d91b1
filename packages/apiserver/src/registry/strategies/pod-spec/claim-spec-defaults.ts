import { copyJson, isObject, type JsonDraft, stringAt } from '../../json-object.js';

/** Fills the spec of a PersistentVolumeClaim; its two ways of naming a source are kept in step. */
export function defaultClaimSpec(spec: JsonDraft): void {
  spec['volumeMode'] ??= 'Filesystem';
  spec['resources'] ??= {};
  const { dataSource, dataSourceRef } = spec;
  if (isObject(dataSource) && dataSourceRef === undefined) spec['dataSourceRef'] = copyJson(dataSource);
  if (!isObject(dataSourceRef) || dataSource !== undefined) return;
  if (stringAt(dataSourceRef, 'namespace') !== '') return;
  const { apiGroup, kind, name } = dataSourceRef;
  spec['dataSource'] = { ...(apiGroup === undefined ? {} : { apiGroup }), kind, name };
}
