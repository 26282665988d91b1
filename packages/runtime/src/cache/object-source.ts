import { deepFreeze, type KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { toMetadataOnly } from '@kubewright/api/metadata';
import { deepEqual } from '@kubewright/api/patch';
import type { Logger } from '../log/logger.js';
import { objectFormOf } from '../transport/object-answer.js';
import { type ResourceInfo, resourcePath } from '../transport/resource-path.js';
import type { Transport } from '../transport/transport.js';
import { type ObjectHead, readObjectHead } from './object-head.js';
import type { ObjectParser } from './object-parser.js';
import { noteSize } from './object-size.js';
import { noteSelectedLabels } from './selected-labels.js';

/** Changes an object before it is stored. Has to give the same for an object that it has changed already. */
export type Transform<T extends KubeObject = KubeObject> = (object: T) => KubeObject;

export interface ObjectSourceOptions<T extends KubeObject> {
  readonly transport: Transport;
  readonly resource: ResourceInfo;
  readonly namespace?: string | undefined;
  /** Part of the path, in place of the namespace: for selectors that leave only one. */
  readonly narrowedTo?: string | undefined;
  /** In the words of the API: 'app=web,tier in (a, b)'. */
  readonly labelSelector?: string | undefined;
  /** In the words of the API: 'status.phase=Running'. */
  readonly fieldSelector?: string | undefined;
  /** Objects of other names are dropped before they are parsed, if their first bytes show the name. @default all are kept */
  readonly names?: ReadonlySet<string> | undefined;
  /** Only the metadata is asked for. @default false */
  readonly metadataOnly?: boolean | undefined;
  readonly parser: ObjectParser;
  readonly transform?: Transform<T> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Whose objects are listed and watched, from where, and how their bytes become objects. */
export class ObjectSource<T extends KubeObject> {
  readonly transport: Transport;
  readonly resource: ResourceInfo;
  readonly namespace: string | undefined;
  readonly path: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly metadataOnly: boolean;
  readonly parser: ObjectParser;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #transform: Transform<T> | undefined;
  readonly #names: ReadonlySet<string> | undefined;

  constructor(options: ObjectSourceOptions<T>) {
    this.transport = options.transport;
    this.resource = options.resource;
    this.namespace = options.namespace;
    this.path = resourcePath(options.resource, { namespace: options.namespace ?? options.narrowedTo });
    this.labelSelector = options.labelSelector;
    this.fieldSelector = options.fieldSelector;
    this.metadataOnly = options.metadataOnly ?? false;
    this.parser = options.parser;
    this.clock = options.clock;
    this.logger = options.logger;
    this.#transform = options.transform;
    this.#names = options.names;
  }

  /** What is listed or watched, for messages. */
  get name(): string {
    const what = this.resource.group === '' ? this.resource.plural : `${this.resource.plural}.${this.resource.group}`;
    return this.namespace === undefined ? what : `${what} in namespace ${this.namespace}`;
  }

  /**
   * Returns the object that a parsed JSON value describes, checked, transformed, and frozen. `bytes` is the size of its JSON.
   * Returns undefined for an object that the source drops. Also returns undefined, and logs an error, for an object of another kind, an
   * object without a name, and an object whose transform failed, so that such an object does not block the others. An item of a list may
   * omit its kind. Throws INVALID_ANSWER for a value that does not have the form of a Kubernetes object.
   */
  accept(value: unknown, bytes = 0): T | undefined {
    return this.#kept(this.#checked(value), bytes);
  }

  /** Returns the head of an object that the source drops, if the first bytes show it; undefined for all other objects. */
  dropped(bytes: Buffer): ObjectHead | undefined {
    if (this.#names === undefined) return undefined;
    const head = readObjectHead(bytes);
    return head === undefined || this.#names.has(head.name) ? undefined : head;
  }

  /** As `dropped`, for a parsed value whose bytes did not show the head. */
  droppedValue(value: unknown): ObjectHead | undefined {
    if (this.#names === undefined) return undefined;
    const { name, resourceVersion = '' } = this.#checked(value).metadata ?? {};
    return name === undefined || this.#names.has(name) ? undefined : { name, resourceVersion };
  }

  /** As `accept`, for the last state of an object: where the transform fails, the object goes all the same, with the state as it came. */
  acceptLast(value: unknown): T | undefined {
    const object = this.#complete(this.#checked(value));
    if (object === undefined || this.#transform === undefined) return object && deepFreeze(object);
    return this.#transformed(this.#transform, object) ?? deepFreeze(object);
  }

  /** An object that came by another way, in the form that is kept. Does not change it. */
  adopt(object: T): T | undefined {
    const kept = this.parser.kept(object);
    return this.#kept(this.#transform === undefined ? kept : structuredClone(kept), 0);
  }

  #kept(value: Partial<KubeObject>, bytes: number): T | undefined {
    const object = this.#complete(value);
    if (object === undefined) return undefined;
    if (this.#transform !== undefined) return this.#transformed(this.#transform, object);
    if (bytes > 0) noteSize(object, bytes);
    return deepFreeze(object);
  }

  #transformed(transform: Transform<T>, object: T): T | undefined {
    const { name, namespace, uid, resourceVersion } = object.metadata;
    // A transform may change the object that it is given.
    const labels = { ...object.metadata.labels };
    try {
      const transformed = transform(object) as T;
      const { metadata } = transformed;
      if (
        metadata.name === name &&
        metadata.namespace === namespace &&
        metadata.uid === uid &&
        metadata.resourceVersion === resourceVersion
      ) {
        noteSize(transformed, JSON.stringify(transformed).length);
        if (!deepEqual(labels, metadata.labels ?? {})) noteSelectedLabels(transformed, labels);
        return deepFreeze(transformed);
      }
      throw new KubewrightError(
        'INVALID_TRANSFORM',
        'a transform has to leave name, namespace, uid and resourceVersion as they are',
      );
    } catch (error) {
      this.logger.error('an object was left out: its transform failed', { error, source: this.name, object: name });
      return undefined;
    }
  }

  #complete(object: Partial<KubeObject>): T | undefined {
    const { apiVersion, kind } = this.resource;
    const { uid } = object.metadata ?? {};
    if (typeof object.metadata?.name !== 'string' || object.metadata.name === '') {
      this.logger.error('an object was left out: it has no name', { source: this.name, uid });
      return undefined;
    }
    if (this.#names?.has(object.metadata.name) === false) return undefined;
    if (this.metadataOnly) return toMetadataOnly({ apiVersion, kind, metadata: object.metadata }) as unknown as T;
    if (object.kind === undefined || object.apiVersion === undefined) return { apiVersion, kind, ...object } as T;
    if (object.kind === kind && object.apiVersion === apiVersion) return object as T;
    this.logger.error('an object was left out: it is of another kind', {
      source: this.name,
      kind: object.kind,
      apiVersion: object.apiVersion,
    });
    return undefined;
  }

  /** The value, if it has the form of an object of Kubernetes. Throws INVALID_ANSWER otherwise. */
  #checked(value: unknown): Partial<KubeObject> {
    return objectFormOf(value, `list or watch ${this.name}`, 'an object');
  }
}
