import { isMetadataOnly, type KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { describe } from '../requests/target.js';

/** Throws METADATA_ONLY if only the metadata of the object was read, because a write of the whole object would remove all other fields. */
export function assertWhole(verb: string, object: KubeObject): void {
  if (isMetadataOnly(object)) throw onlyMetadata(verb, object);
}

export function onlyMetadata(verb: string, { kind, metadata }: KubeObject): KubewrightError {
  return new KubewrightError(
    'METADATA_ONLY',
    `cannot ${verb} ${describe(kind, metadata)}: only its metadata was read, and this write would remove all other fields; read the whole object, or patch it`,
  );
}
