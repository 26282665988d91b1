import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { stringAt } from '../../../objects/json-object.js';
import { requiredErrors } from './value-rules.js';

/** Returns the errors of a volume source at a path. */
export type SourceRule = (source: JsonDraft, path: string) => readonly FieldError[];

/** The rules of the volume sources that have the same rules in Pods and in PersistentVolumes. */
export const volumeSourceRules = {
  awsElasticBlockStore: requires('volumeID'),
  azureDisk: requires('diskName', 'diskURI'),
  azureFile: requires('secretName', 'shareName'),
  cephfs: requires('monitors'),
  cinder: requires('volumeID'),
  fc: requires(),
  flexVolume: requires('driver'),
  flocker: requires(),
  glusterfs: requires('endpoints', 'path'),
  iscsi: requires('targetPortal', 'iqn'),
  nfs: (source, path) => {
    const errors = [...requiredErrors(source, path, ['server', 'path'])];
    const exported = stringAt(source, 'path');
    if (exported.startsWith('/')) return errors;
    return [...errors, fieldErrors.invalid(`${path}.path`, exported, 'must be an absolute path')];
  },
  photonPersistentDisk: requires('pdID'),
  portworxVolume: requires('volumeID'),
  quobyte: requires('volume'),
  rbd: requires('monitors', 'image'),
  scaleIO: requires('gateway', 'system', 'volumeName'),
  storageos: requires(),
  vsphereVolume: requires('volumePath'),
} as const satisfies Readonly<Record<string, SourceRule>>;

function requires(...fields: readonly string[]): SourceRule {
  return (source, path) => requiredErrors(source, path, fields);
}
