import { isJsonObject } from '@kubewright/api/json';
import { isWrittenByOperator, operatorFields } from './operator-fields.js';
import { nameOf, type StoredObject } from './stored-object.js';

/** The content of a world after a step: a comparable form of each object by the name of the object. */
export type WorldState = ReadonlyMap<string, unknown>;

/** Kinds whose objects report what happened, or that controllers of the cluster derive from other objects. */
const DERIVED_KINDS = new Set([
  'Event',
  'Lease',
  'Endpoints',
  'EndpointSlice',
  'ControllerRevision',
  'PersistentVolume',
]);
/** Kinds whose controllers in the cluster create further objects. */
const WORKLOADS = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
]);
/** Fields of the spec with addresses and ports that the server allocates. */
const ALLOCATED = new Set(['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort', 'nodeName', 'volumeName']);
/** The keys of the labels and annotations that the framework writes, for example with a hash of the applied object. */
export const FRAMEWORK_KEY = /^(applied\.)?kubewright\.dev\//;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** The values that replace an `observedGeneration`. */
const CURRENT_GENERATION = '<current generation>';
export const OLDER_GENERATION = '<older generation>';
/** The fields that identify the items of a list. The order of such lists has no meaning for Kubernetes. */
const ITEM_KEYS = ['name', 'type', 'key', 'ip'] as const;

/**
 * Reports whether the cluster, instead of the operator, manages the object: the cluster derives all objects of the kind, the operator wrote
 * no field of the object, or a workload controls the object. Always returns false for a kind of the operator (`isCustom`).
 */
export function isDerived(object: StoredObject, isCustom: boolean): boolean {
  if (isCustom) return false;
  if (DERIVED_KINDS.has(object.kind) || !isWrittenByOperator(object)) return true;
  return (
    object.metadata.ownerReferences?.some(({ kind, controller }) => controller === true && WORKLOADS.has(kind)) === true
  );
}

/**
 * Returns the comparable content of objects: the fields that the operator wrote. Two worlds with the same content differ only in values
 * that the server chooses, such as uids, times, allocated addresses and generated names. The content does not include the status of a
 * built-in kind, because controllers of the cluster write it. An empty status equals an absent status.
 *
 * @param objects the objects to compare
 * @param all all objects of the server, whose uids and addresses can occur in other objects
 * @param isCustom reports whether the operator defines the kind of the object
 */
export function worldState(
  objects: readonly StoredObject[],
  { all, isCustom }: { readonly all: readonly StoredObject[]; readonly isCustom: (object: StoredObject) => boolean },
): WorldState {
  const chosen = chosenValues(all);
  const state = new Map<string, unknown>();
  for (const object of objects) {
    const { metadata } = object;
    const { status, metadata: written, ...content } = operatorFields(object);
    const name = metadata.generateName === undefined ? nameOf(object) : `${object.kind} ${metadata.generateName}*`;
    const comparable = new Comparable(chosen, metadata.generation);
    const whole = {
      ...content,
      ...(written !== undefined && { metadata: written }),
      ...(metadata.deletionTimestamp !== undefined && { isDeleted: true }),
      ...(isCustom(object) && isJsonObject(status) && Object.keys(status).length > 0 && { status }),
    };
    const before = state.get(name);
    const value = comparable.valueOf(whole);
    // Objects with generated names have no order.
    if (metadata.generateName === undefined) state.set(name, value);
    else state.set(name, sorted([...(Array.isArray(before) ? before : []), value]));
  }
  return state;
}

/** The object for which the server chose a value. */
interface Chosen {
  readonly what: 'uid' | 'address';
  readonly object: StoredObject;
}

/** Returns the objects for which the server chose values, by these values. */
function chosenValues(objects: readonly StoredObject[]): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  for (const object of objects) {
    chosen.set(object.metadata.uid, { what: 'uid', object });
    const { clusterIP } = object.spec ?? {};
    const { podIP } = object.status ?? {};
    if (typeof clusterIP === 'string' && clusterIP !== 'None') chosen.set(clusterIP, { what: 'address', object });
    if (typeof podIP === 'string') chosen.set(podIP, { what: 'address', object });
  }
  return chosen;
}

/** Makes the values of one object comparable. */
class Comparable {
  readonly #chosen: ReadonlyMap<string, Chosen>;
  readonly #generation: number | undefined;

  constructor(chosen: ReadonlyMap<string, Chosen>, generation: number | undefined) {
    this.#chosen = chosen;
    this.#generation = generation;
  }

  valueOf(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return this.#list(value);
    if (!isJsonObject(value)) return value;
    const fields = Object.entries(value)
      .filter(([field]) => !ALLOCATED.has(field) && !FRAMEWORK_KEY.test(field))
      .map(([field, each]) => [field, this.#field(field, each)] as const);
    return Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #field(field: string, value: unknown): unknown {
    if (field !== 'observedGeneration') return this.valueOf(value);
    return value === this.#generation ? CURRENT_GENERATION : OLDER_GENERATION;
  }

  #text(value: string): string {
    const chosen = this.#chosen.get(value);
    if (chosen !== undefined) return `<${chosen.what} of ${nameOf(chosen.object)}>`;
    return TIME.test(value) ? '<time>' : value;
  }

  #list(items: readonly unknown[]): readonly unknown[] {
    const values = items.map((item) => this.valueOf(item));
    const key = ITEM_KEYS.find((each) => hasUniqueKeys(values, each));
    if (key === undefined) return values;
    return values.toSorted((a, b) => (textOf(a, key) < textOf(b, key) ? -1 : 1));
  }
}

function hasUniqueKeys(items: readonly unknown[], key: string): boolean {
  if (items.length < 2 || !items.every((item) => isJsonObject(item) && typeof item[key] === 'string')) return false;
  return new Set(items.map((item) => textOf(item, key))).size === items.length;
}

function textOf(item: unknown, key: string): string {
  return isJsonObject(item) ? String(item[key]) : '';
}

function sorted(values: readonly unknown[]): readonly unknown[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
