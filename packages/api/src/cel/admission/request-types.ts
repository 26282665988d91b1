import type { Fields } from '../check/environment.js';
import { type CelType, celTypes, listOf, mapOf, structType } from '../values/cel-type.js';

const { string, bool, int, dyn, timestamp } = celTypes;
const texts = listOf(string);
const labels = mapOf(string, string);

/** The object types of `request` and `namespaceObject` in the expressions of webhooks and policies, keyed by type name. */
export const admissionObjects: ReadonlyMap<string, Fields> = new Map([
  declared('GroupVersionKind', { group: string, version: string, kind: string }),
  declared('GroupVersionResource', { group: string, version: string, resource: string }),
  declared('UserInfo', { username: string, uid: string, groups: texts, extra: mapOf(string, texts) }),
  declared('AdmissionRequest', {
    kind: kubernetes('GroupVersionKind'),
    resource: kubernetes('GroupVersionResource'),
    subResource: string,
    requestKind: kubernetes('GroupVersionKind'),
    requestResource: kubernetes('GroupVersionResource'),
    requestSubResource: string,
    name: string,
    namespace: string,
    operation: string,
    userInfo: kubernetes('UserInfo'),
    dryRun: bool,
    options: dyn,
  }),
  declared('NamespaceSpec', { finalizers: texts }),
  declared('NamespaceCondition', {
    status: string,
    type: string,
    lastTransitionTime: timestamp,
    message: string,
    reason: string,
  }),
  declared('NamespaceStatus', { conditions: listOf(kubernetes('NamespaceCondition')), phase: string }),
  declared('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels,
    annotations: labels,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: texts,
  }),
  declared('Namespace', {
    metadata: kubernetes('NamespaceMetadata'),
    spec: kubernetes('NamespaceSpec'),
    status: kubernetes('NamespaceStatus'),
  }),
]);

/** The type of the variable `request`: the fields of an AdmissionReview request, without `uid`, `object` and `oldObject`. */
export const requestType = kubernetes('AdmissionRequest');

/** The type of the variable `namespaceObject`. */
export const namespaceType = kubernetes('Namespace');

function kubernetes(name: string): CelType {
  return structType(`kubernetes.${name}`);
}

function declared(name: string, fields: Readonly<Record<string, CelType>>): readonly [string, Fields] {
  return [`kubernetes.${name}`, new Map(Object.entries(fields))];
}
