import type { KubeObject } from '@kubewright/api';
import { ApiError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { type Client, ignoreNotFound } from '@kubewright/runtime';
import { isWrittenByOperator, operatorFields } from '../state/operator-fields.js';
import { nameOf, type StoredObject } from '../state/stored-object.js';
import { FRAMEWORK_KEY } from '../state/world-state.js';

/** Kinds whose objects run once. An operator does not create such an object again. */
const RUN_ONCE = new Set(['Job']);
const EDITED = 'edited-by-a-stranger';

/** A user or a program that changes objects in the cluster without knowing the operator. */
export class Stranger {
  readonly #client: Client;
  readonly #stored: () => readonly StoredObject[];
  readonly #copies = new Set<string>();

  /** @param stored returns all objects of the server */
  constructor(client: Client, stored: () => readonly StoredObject[]) {
    this.#client = client;
    this.#stored = stored;
  }

  /** The names of the planted copies. */
  get copies(): ReadonlySet<string> {
    return this.#copies;
  }

  /** Deletes a child. Does nothing if the child does not exist, or if it is a Job, which an operator does not create again. */
  async deleteChild(name: string): Promise<void> {
    const child = this.#child(name);
    if (child !== undefined && !RUN_ONCE.has(child.kind)) await this.#delete(child);
  }

  /**
   * Changes a value that the operator wrote. Does nothing if the child has no value that a stranger can change. Does not change a Secret
   * that the operator created without applying it, because an operator cannot restore a password that it generated.
   */
  async editChild(name: string): Promise<void> {
    const child = this.#child(name);
    if (child === undefined || (child.kind === 'Secret' && !isApplied(child))) return;
    const merge = editOf(operatorFields(child));
    if (merge !== undefined) await this.#client.patch(asObject(child), { merge }).catch(ignoreRefusal);
  }

  /** Creates a copy of each child except Jobs. Does not copy a child twice. */
  async plant(): Promise<void> {
    for (const child of this.#stored().filter((object) => this.#isChild(object))) {
      const copy = copyOf(child);
      const name = nameOf(copy);
      if (this.#copies.has(name) || RUN_ONCE.has(child.kind)) continue;
      if ((await this.#client.create(copy).catch(ignoreRefusal)) !== undefined) this.#copies.add(name);
    }
  }

  /** Deletes an object that is not a child. */
  async removeObject(object: KubeObject): Promise<void> {
    await this.#delete(object);
  }

  /** Creates a deleted object again. */
  async restoreObject(object: KubeObject): Promise<void> {
    await this.#client.create(object);
  }

  /** Changes one value of an object: in its data, its replicas or a label. Does nothing if the object has no such value. */
  async editObject(object: KubeObject): Promise<void> {
    const merge = editOf(object as unknown as Readonly<Record<string, unknown>>);
    if (merge !== undefined) await this.#client.patch(object, { merge }).catch(ignoreRefusal);
  }

  #child(name: string): StoredObject | undefined {
    return this.#stored().find((object) => nameOf(object) === name && this.#isChild(object));
  }
  #isChild(object: StoredObject): boolean {
    const { ownerReferences = [], deletionTimestamp } = object.metadata;
    return (
      ownerReferences.some(({ controller }) => controller === true) &&
      isWrittenByOperator(object) &&
      deletionTimestamp === undefined
    );
  }
  async #delete(object: object): Promise<void> {
    await this.#client.delete(asObject(object)).catch(ignoreNotFound);
  }
}

/** Returns a merge patch that changes one value of the given fields. */
function editOf({ kind, data, stringData, spec, metadata }: Readonly<Record<string, unknown>>): object | undefined {
  for (const [field, values] of Object.entries({ data, stringData })) {
    const [key] = isJsonObject(values) ? Object.keys(values) : [];
    if (key !== undefined) return { [field]: { [key]: kind === 'Secret' && field === 'data' ? 'ZWRpdGVk' : EDITED } };
  }
  if (isJsonObject(spec) && typeof spec['replicas'] === 'number') return { spec: { replicas: spec['replicas'] + 1 } };
  const labels = isJsonObject(metadata) && isJsonObject(metadata['labels']) ? metadata['labels'] : {};
  const label = Object.keys(labels).find((each) => !FRAMEWORK_KEY.test(each));
  return label === undefined ? undefined : { metadata: { labels: { [label]: EDITED } } };
}

/** Returns a copy with another name, without the fields that the server sets and without the owner. */
function copyOf(object: StoredObject): KubeObject {
  const { status: _, ...child } = object;
  const { name, namespace, labels, annotations } = child.metadata;
  const spec = withoutAllocated(child.spec);
  return asObject({
    ...child,
    metadata: {
      name: `${name}-of-a-stranger`,
      ...(namespace !== undefined && { namespace }),
      labels: withoutFramework(labels),
      annotations: withoutFramework(annotations),
    },
    ...(spec !== undefined && { spec }),
  });
}

/** Returns a spec without the addresses, ports and volumes that the cluster allocated. */
function withoutAllocated(spec: StoredObject['spec']): StoredObject['spec'] {
  if (spec === undefined) return undefined;
  const { clusterIP, clusterIPs: _ips, volumeName: _volume, nodeName: _node, ports, ...others } = spec;
  const withoutNodePorts = Array.isArray(ports) ? ports.map(({ nodePort: _port, ...port }) => port as unknown) : ports;
  return {
    ...others,
    ...(ports !== undefined && { ports: withoutNodePorts }),
    ...(clusterIP === 'None' && { clusterIP }),
  };
}

function withoutFramework(values: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !FRAMEWORK_KEY.test(key)));
}

/** Whether the operator applied the object. */
function isApplied({ metadata: { managedFields = [] } }: StoredObject): boolean {
  return managedFields.some(({ operation }) => operation === 'Apply');
}

/** Ignores that the server refuses a change, for example because the object is immutable. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

function asObject(object: unknown): KubeObject {
  return object as KubeObject;
}
