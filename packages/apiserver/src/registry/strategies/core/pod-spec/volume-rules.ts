import { append } from '@kubewright/api/json';
import { errorsOfEach, annotationErrors, type FieldError, fieldErrors, labelErrors } from '@kubewright/api/schema';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { compareQuantities } from '@kubewright/api/quantity';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { claimSpecErrors, driverNameErrors } from './claim-spec-rules.js';
import { downwardFileErrors, fileErrors } from './file-rules.js';
import { type SourceRule, volumeSourceRules } from './volume-source-rules.js';
import { projectionErrors } from './projection-rules.js';
import {
  backstepErrors,
  descendingPathErrors,
  labelNameErrors,
  modeErrors,
  requiredErrors,
  subdomainErrors,
  supportedErrors,
} from './value-rules.js';

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

const { awsElasticBlockStore, azureDisk, azureFile, cephfs, cinder, fc, flexVolume, flocker, glusterfs, iscsi, nfs } =
  volumeSourceRules;
const { photonPersistentDisk, portworxVolume, quobyte, rbd, scaleIO, storageos, vsphereVolume } = volumeSourceRules;
/** The rules of each volume type, in the validation order of kube-apiserver. */
const sourceRules: Readonly<Record<string, SourceRule>> = {
  emptyDir: (source, path) => {
    const limit = stringAt(source, 'sizeLimit');
    if (limit === '' || compareQuantities(limit, '0') >= 0) return [];
    return [fieldErrors.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
  },
  hostPath: (source, path) => {
    const missing = requiredErrors(source, path, ['path']);
    if (missing.length > 0) return missing;
    return [
      ...backstepErrors(stringAt(source, 'path'), `${path}.path`),
      ...supportedErrors(source['type'], `${path}.type`, hostPathTypes),
    ];
  },
  gitRepo: (source, path) => [
    ...requiredErrors(source, path, ['repository']),
    ...descendingPathErrors(stringAt(source, 'directory'), `${path}.directory`),
  ],
  gcePersistentDisk: (source, path) => requiredErrors(source, path.replace(/gceP([^.]*)$/, 'p$1'), ['pdName']),
  awsElasticBlockStore,
  secret: (source, path) => [...requiredErrors(source, path, ['secretName']), ...filesErrors(source, path)],
  nfs,
  iscsi,
  glusterfs,
  flocker,
  persistentVolumeClaim: (source, path) => requiredErrors(source, path, ['claimName']),
  rbd,
  cinder,
  cephfs,
  quobyte,
  downwardAPI: (source, path) => [
    ...modeErrors(source, 'defaultMode', path),
    ...errorsOfEach(objectsAt(source, 'items'), (file) => downwardFileErrors(file, path)),
  ],
  fc,
  flexVolume,
  configMap: (source, path) => [...requiredErrors(source, path, ['name']), ...filesErrors(source, path)],
  azureFile,
  vsphereVolume,
  photonPersistentDisk,
  portworxVolume,
  azureDisk,
  storageos,
  projected: projectionErrors,
  scaleIO,
  csi: (source, path) => {
    const errors = [...driverNameErrors(stringAt(source, 'driver'), `${path}.driver`)];
    const { nodePublishSecretRef: reference } = source as { nodePublishSecretRef?: unknown };
    if (!isObject(reference)) return errors;
    const name = stringAt(reference, 'name');
    if (name === '') return [...errors, fieldErrors.required(`${path}.nodePublishSecretRef.name`)];
    return [...errors, ...subdomainErrors(name, `${path}.name`)];
  },
  ephemeral: (source, path) => {
    const { volumeClaimTemplate: template } = source as { volumeClaimTemplate?: unknown };
    const at = `${path}.volumeClaimTemplate`;
    if (!isObject(template)) return [fieldErrors.required(at)];
    return [
      ...annotationErrors(objectAt(template, 'metadata', 'annotations'), `${at}.metadata.annotations`),
      ...labelErrors(objectAt(template, 'metadata', 'labels'), `${at}.metadata.labels`),
      ...claimSpecErrors(objectAt(template, 'spec'), `${at}.spec`),
    ];
  },
  image: (source, path) => supportedErrors(source['pullPolicy'], `${path}.pullPolicy`, pullPolicies),
};

/** Returns the errors of the volumes of a Pod, and the volumes without errors by name. `podName` is '' for a template. */
export function volumesErrors(
  volumes: readonly JsonDraft[],
  path: string,
  podName: string,
): { readonly errors: readonly FieldError[]; readonly byName: ReadonlyMap<string, JsonDraft> } {
  const byName = new Map<string, JsonDraft>();
  const created = podName === '' ? [] : volumes.filter(({ ephemeral }) => ephemeral !== undefined);
  const createdClaims = new Set(created.map((volume) => `${podName}-${stringAt(volume, 'name')}`));
  const errors: FieldError[] = [];
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    const name = stringAt(volume, 'name');
    const own = [...volumeErrors(volume, at, podName)];
    append(own, name === '' ? [fieldErrors.required(`${at}.name`)] : labelNameErrors(name, `${at}.name`));
    if (byName.has(name)) own.push(fieldErrors.duplicate(`${at}.name`, name));
    if (own.length === 0) byName.set(name, volume);
    append(errors, own);
    const claim = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    if (createdClaims.has(claim)) {
      const why = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(fieldErrors.invalid(`${at}.persistentVolumeClaim.claimName`, claim, why));
    }
  }
  return { errors, byName };
}

function volumeErrors(volume: JsonDraft, path: string, podName: string): readonly FieldError[] {
  const kinds = Object.keys(sourceRules).filter((kind) => isObject(volume[kind]));
  if (kinds.length === 0) return [fieldErrors.required(path, 'must specify a volume type')];
  const errors = kinds.flatMap((kind, index) => {
    if (index > 0) {
      const field = kind === 'downwardAPI' ? 'downwarAPI' : kind === 'cephfs' ? 'cephFS' : kind;
      return [fieldErrors.forbidden(`${path}.${field}`, 'may not specify more than 1 volume type')];
    }
    return sourceRules[kind]?.(volume[kind] as JsonDraft, `${path}.${kind}`) ?? [];
  });
  const name = stringAt(volume, 'name');
  if (kinds[0] !== 'ephemeral' || podName === '' || name === '') return errors;
  const claim = `${podName}-${name}`;
  return [
    ...errors,
    ...dns1123SubdomainErrors(claim).map((why) =>
      fieldErrors.invalid(`${path}.name`, name, `PVC name ${JSON.stringify(claim)}: ${why}`),
    ),
  ];
}

function filesErrors(source: JsonDraft, path: string): readonly FieldError[] {
  return [
    ...modeErrors(source, 'defaultMode', path),
    ...errorsOfEach(objectsAt(source, 'items'), (item, index) => fileErrors(item, `${path}.items[${index}]`)),
  ];
}
