import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, objectsAt, stringAt } from '../../../objects/json-object.js';
import { defaultClaimSpec } from './claim-spec-defaults.js';
import { defaultPodResources } from './pod-resource-rules.js';
import { fill } from '../../rules/field-checks.js';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const modedVolumes = ['configMap', 'secret', 'projected', 'downwardAPI'] as const;
const defaultMode = 0o644;

/** Sets the defaults of the spec of a Pod. Requests default to limits. With hostNetwork, host ports default to container ports. */
export function defaultPod(spec: JsonDraft): void {
  defaultPodSpec(spec);
  spec['enableServiceLinks'] ??= true;
  defaultAmounts(spec);
  if (spec['hostNetwork'] !== true) return;
  for (const container of allContainers(spec)) {
    for (const port of objectsAt(container, 'ports')) port['hostPort'] ||= port['containerPort'];
  }
}

/** Sets missing requests and limits of a Pod and its containers from the other amounts in the Pod. */
export function defaultAmounts(spec: JsonDraft): void {
  for (const container of allContainers(spec)) defaultRequests(container['resources']);
  defaultPodResources(spec);
}

/** Sets the defaults that Pods and Pod templates share. */
export function defaultPodSpec(spec: JsonDraft): void {
  fill(spec, { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', schedulerName: 'default-scheduler' });
  spec['terminationGracePeriodSeconds'] ??= 30;
  // As in kube-apiserver, a negative grace period becomes one second.
  if (Number(spec['terminationGracePeriodSeconds']) < 0) spec['terminationGracePeriodSeconds'] = 1;
  spec['securityContext'] ??= {};
  // `serviceAccount` is a deprecated name of `serviceAccountName`, and always has the same value.
  const account = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (account !== '') {
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
  }
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) if (spec[field] === false) delete spec[field];
  for (const container of [...allContainers(spec), ...objectsAt(spec, 'ephemeralContainers')]) {
    defaultContainer(container);
  }
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume);
}

/** Returns the init containers and containers of a Pod spec. */
export function allContainers(spec: JsonDraft): readonly JsonDraft[] {
  return [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
}

function defaultContainer(container: JsonDraft): void {
  fill(container, {
    imagePullPolicy: pullPolicy(stringAt(container, 'image')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  container['resources'] ??= {};
  for (const port of objectsAt(container, 'ports')) fill(port, { protocol: 'TCP' });
  for (const name of probes) if (isObject(container[name])) defaultProbe(container[name]);
  const { lifecycle } = container as { lifecycle?: unknown };
  // The feature gate of `stopSignal` is off, so the field is dropped.
  if (isObject(lifecycle)) delete lifecycle['stopSignal'];
  for (const hook of isObject(lifecycle) ? Object.values(lifecycle) : []) defaultAction(hook);
  for (const { valueFrom } of objectsAt(container, 'env')) {
    if (!isObject(valueFrom)) continue;
    if (isObject(valueFrom['fieldRef'])) fill(valueFrom['fieldRef'], { apiVersion: 'v1' });
    if (isObject(valueFrom['resourceFieldRef'])) fill(valueFrom['resourceFieldRef'], { divisor: '0' });
    if (isObject(valueFrom['fileKeyRef'])) valueFrom['fileKeyRef']['optional'] ??= false;
  }
}

/**
 * Returns the default pull policy. For an image without a digest that has the tag `latest` or no tag, the policy is Always. For other
 * images, the policy is IfNotPresent.
 */
function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' && image !== '' ? 'Always' : 'IfNotPresent';
}

/** Sets each missing request to the limit of the resource. */
function defaultRequests(resources: unknown): void {
  if (!isObject(resources) || !isObject(resources['limits'])) return;
  const requests = isObject(resources['requests']) ? resources['requests'] : {};
  for (const [name, limit] of Object.entries(resources['limits'])) requests[name] ??= limit;
  resources['requests'] = requests;
}

function defaultProbe(probe: JsonDraft): void {
  for (const [field, value] of Object.entries({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  })) {
    probe[field] ||= value;
  }
  if (isObject(probe['grpc'])) probe['grpc']['service'] ??= '';
  defaultAction(probe);
}

function defaultAction(action: unknown): void {
  if (!isObject(action) || !isObject(action['httpGet'])) return;
  fill(action['httpGet'], { path: '/', scheme: 'HTTP' });
}

function defaultVolume(volume: JsonDraft): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
  for (const kind of modedVolumes) {
    const source = volume[kind];
    if (isObject(source)) source['defaultMode'] ??= defaultMode;
  }
  if (isObject(volume['hostPath'])) volume['hostPath']['type'] ??= '';
  if (isObject(volume['image']))
    fill(volume['image'], { pullPolicy: pullPolicy(stringAt(volume, 'image', 'reference')) });
  if (isObject(volume['iscsi'])) fill(volume['iscsi'], { iscsiInterface: 'default' });
  if (isObject(volume['rbd'])) fill(volume['rbd'], { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
  for (const source of objectsAt(volume, 'projected', 'sources')) {
    const token = source['serviceAccountToken'];
    if (isObject(token)) token['expirationSeconds'] ??= 3600;
    defaultFiles(source);
  }
  defaultFiles(volume);
  const template = isObject(volume['ephemeral']) ? volume['ephemeral']['volumeClaimTemplate'] : undefined;
  if (isObject(template) && isObject(template['spec'])) defaultClaimSpec(template['spec']);
}

function defaultFiles(source: JsonDraft): void {
  for (const file of objectsAt(source, 'downwardAPI', 'items')) {
    if (isObject(file['fieldRef'])) fill(file['fieldRef'], { apiVersion: 'v1' });
    if (isObject(file['resourceFieldRef'])) fill(file['resourceFieldRef'], { divisor: '0' });
  }
}
