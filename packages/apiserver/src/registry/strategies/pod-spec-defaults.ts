import { isObject, type JsonDraft, objectsAt, stringAt } from '../json-object.js';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const modedVolumes = ['configMap', 'secret', 'projected', 'downwardAPI'] as const;
const defaultMode = 0o644;

/** Fills the spec of a Pod, or of the template of one, as the real server does. */
export function defaultPodSpec(spec: JsonDraft): void {
  spec['restartPolicy'] ??= 'Always';
  spec['dnsPolicy'] ??= 'ClusterFirst';
  spec['schedulerName'] ??= 'default-scheduler';
  spec['terminationGracePeriodSeconds'] ??= 30;
  spec['securityContext'] ??= {};
  // The old name of the field is kept in step.
  const account = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (account !== '') {
    spec['serviceAccountName'] = account;
    spec['serviceAccount'] = account;
  }
  const hostNetwork = spec['hostNetwork'] === true;
  for (const container of allContainers(spec)) defaultContainer(container, hostNetwork);
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume);
}

/** The containers and init containers of a Pod spec. */
export function allContainers(spec: JsonDraft): readonly JsonDraft[] {
  return [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
}

function defaultContainer(container: JsonDraft, hostNetwork: boolean): void {
  container['imagePullPolicy'] ??= pullPolicy(stringAt(container, 'image'));
  container['terminationMessagePath'] ??= '/dev/termination-log';
  container['terminationMessagePolicy'] ??= 'File';
  container['resources'] ??= {};
  for (const port of objectsAt(container, 'ports')) {
    port['protocol'] ??= 'TCP';
    if (hostNetwork) port['hostPort'] ??= port['containerPort'];
  }
  defaultRequests(container['resources']);
  for (const name of probes) if (isObject(container[name])) defaultProbe(container[name]);
  const { lifecycle } = container as { lifecycle?: unknown };
  for (const hook of isObject(lifecycle) ? Object.values(lifecycle) : []) defaultHttpGet(hook);
  for (const { valueFrom } of objectsAt(container, 'env')) {
    if (isObject(valueFrom) && isObject(valueFrom['fieldRef'])) valueFrom['fieldRef']['apiVersion'] ??= 'v1';
  }
}

/** Without a tag, or with :latest, an image is pulled each time. */
function pullPolicy(image: string): string {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** A resource with a limit and no request asks for its limit. */
function defaultRequests(resources: unknown): void {
  if (!isObject(resources) || !isObject(resources['limits'])) return;
  const requests = isObject(resources['requests']) ? resources['requests'] : {};
  for (const [name, limit] of Object.entries(resources['limits'])) requests[name] ??= limit;
  resources['requests'] = requests;
}

function defaultProbe(probe: JsonDraft): void {
  probe['timeoutSeconds'] ??= 1;
  probe['periodSeconds'] ??= 10;
  probe['successThreshold'] ??= 1;
  probe['failureThreshold'] ??= 3;
  defaultHttpGet(probe);
}

function defaultHttpGet(action: unknown): void {
  if (!isObject(action) || !isObject(action['httpGet'])) return;
  action['httpGet']['path'] ??= '/';
  action['httpGet']['scheme'] ??= 'HTTP';
}

function defaultVolume(volume: JsonDraft): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
  for (const kind of modedVolumes) {
    const source = volume[kind];
    if (isObject(source)) source['defaultMode'] ??= defaultMode;
  }
  if (isObject(volume['hostPath'])) volume['hostPath']['type'] ??= '';
  for (const source of objectsAt(volume, 'projected', 'sources')) {
    const token = source['serviceAccountToken'];
    if (isObject(token)) token['expirationSeconds'] ??= 3600;
  }
}
