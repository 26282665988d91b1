import { deepFreeze, type KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { toMetadataOnly } from '@kubewright/api/metadata';
import { deepEqual } from '@kubewright/api/patch';
import type { Logger } from '../../log/logger.js';
import { objectFormOf } from '../../transport/answer/object-answer.js';
import type { ProtobufKind } from '../../transport/answer/protobuf-kind.js';
import { type ResourceInfo, resourcePath } from '../../transport/request/resource-path.js';
import type { Transport } from '../../transport/sending/transport.js';
import { type ObjectHead, readObjectHead } from './object-head.js';
import type { ItemReader, ObjectParser } from '../parsing/object-parser.js';
import { noteSize } from '../store/object-size.js';
import { noteSelectedLabels } from '../store/selected-labels.js';
import type { Transform } from '../store/transform.js';

export interface ObjectSourceOptions<T extends KubeObject> {
  readonly transport: Transport;
  readonly resource: ResourceInfo;
  readonly namespace?: string | undefined;
  /** The namespace of the request path if `namespace` is undefined and the selectors allow only one namespace. */
  readonly narrowedTo?: string | undefined;
  /** The label selector in the syntax of the API, such as 'app=web,tier in (a, b)'. */
  readonly labelSelector?: string | undefined;
  /** The field selector in the syntax of the API, such as 'status.phase=Running'. */
  readonly fieldSelector?: string | undefined;
  /**
   * The names of the objects to keep. The source ignores all other objects. If the first bytes of an object contain the name, an ignored
   * object is not parsed.
   * @default all objects are kept
   */
  readonly names?: ReadonlySet<string> | undefined;
  /** Whether to request only the metadata. @default false */
  readonly metadataOnly?: boolean | undefined;
  readonly parser: ObjectParser;
  /** Reads protobuf responses. If undefined, the objects are requested as JSON. @default undefined */
  readonly protobuf?: ProtobufKind | undefined;
  readonly transform?: Transform<T> | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The objects to list and watch: the requests for them, and the conversion of the responses to objects. */
export class ObjectSource<T extends KubeObject> {
  readonly transport: Transport;
  readonly resource: ResourceInfo;
  readonly namespace: string | undefined;
  readonly path: string;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string | undefined;
  readonly metadataOnly: boolean;
  readonly parser: ObjectParser;
  readonly protobuf: ProtobufKind | undefined;
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
    this.protobuf = options.protobuf;
    this.clock = options.clock;
    this.logger = options.logger;
    this.#transform = options.transform;
    this.#names = options.names;
  }

  /** The resource and the namespace of the objects, for messages. */
  get name(): string {
    const what = this.resource.group === '' ? this.resource.plural : `${this.resource.plural}.${this.resource.group}`;
    return this.namespace === undefined ? what : `${what} in namespace ${this.namespace}`;
  }

  /**
   * Returns the object of a parsed JSON value: checked, transformed and frozen. `bytes` is the size of the JSON. Returns undefined for an
   * object that the source ignores.
   *
   * Also returns undefined, and logs an error, for an object of another kind, an object without a name, and an object whose transform
   * failed. Other objects are not affected. A list item may omit its kind. Throws INVALID_RESPONSE for a value that does not have the form
   * of a Kubernetes object.
   */
  accept(value: unknown, bytes = 0): T | undefined {
    return this.#kept(this.#checked(value), bytes);
  }

  /**
   * Returns the name and the version of an object that the source ignores. Returns undefined if the object is not ignored, or if the first
   * bytes do not contain the name.
   */
  dropped(bytes: Buffer): ObjectHead | undefined {
    if (this.#names === undefined) return undefined;
    const head = readObjectHead(bytes);
    return head === undefined || this.#names.has(head.name) ? undefined : head;
  }

  /** Reads list items whose ends are not known yet. Undefined if the parser cannot do this, or if the source ignores objects by name. */
  get itemReader(): ItemReader | undefined {
    return this.#names === undefined ? this.parser.itemReader : undefined;
  }

  /** Same as `dropped`, but for a parsed value. Throws INVALID_RESPONSE for a value that does not have the form of a Kubernetes object. */
  droppedValue(value: unknown): ObjectHead | undefined {
    if (this.#names === undefined) return undefined;
    const { name, resourceVersion = '' } = this.#checked(value).metadata ?? {};
    return name === undefined || this.#names.has(name) ? undefined : { name, resourceVersion };
  }

  /**
   * Same as `accept`, but for the last state of a deleted object. If the transform fails, returns the state without the transform, so that
   * the deletion is not lost.
   */
  acceptLast(value: unknown): T | undefined {
    const object = this.#complete(this.#checked(value));
    if (object === undefined || this.#transform === undefined) return object && deepFreeze(object);
    return this.#transformed(this.#transform, object) ?? deepFreeze(object);
  }

  /**
   * Returns an object from another source, such as the response to a write, in the form in which the cache stores objects. Returns
   * undefined if `accept` would return undefined. Does not change the passed object, but may freeze it.
   */
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
    // The transform may change the labels of the object.
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
        'a transform must not change name, namespace, uid or resourceVersion',
      );
    } catch (error) {
      this.logger.error('ignored an object because its transform failed', { error, source: this.name, object: name });
      return undefined;
    }
  }

  #complete(object: Partial<KubeObject>): T | undefined {
    const { apiVersion, kind } = this.resource;
    const { uid } = object.metadata ?? {};
    if (typeof object.metadata?.name !== 'string' || object.metadata.name === '') {
      this.logger.error('ignored an object because it has no name', { source: this.name, uid });
      return undefined;
    }
    if (this.#names?.has(object.metadata.name) === false) return undefined;
    if (this.metadataOnly) return toMetadataOnly({ apiVersion, kind, metadata: object.metadata }) as unknown as T;
    if (object.kind === undefined || object.apiVersion === undefined) return { apiVersion, kind, ...object } as T;
    if (object.kind === kind && object.apiVersion === apiVersion) return object as T;
    this.logger.error('ignored an object because it is of another kind', {
      source: this.name,
      kind: object.kind,
      apiVersion: object.apiVersion,
    });
    return undefined;
  }

  /** Returns the value if it has the form of a Kubernetes object. Otherwise throws INVALID_RESPONSE. */
  #checked(value: unknown): Partial<KubeObject> {
    return objectFormOf(value, `list or watch ${this.name}`, 'an object');
  }
}
