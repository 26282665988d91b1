import { stringifyJson } from '@kubewright/api/json';
import { emptyOf } from '../../registry/decoding/go-form.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt } from '../../registry/objects/json-object.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { failure } from '../../registry/requests/status-errors.js';
import { typeFirst } from '../../registry/definitions/type-first.js';
import type { ListResult } from '../../registry/requests/verb-options.js';
import { type Encoding, otherShape, type Representation, representation } from './accept.js';
import type { Answer, ListBody } from './answer.js';
import type { ApiRequest } from '../api-request.js';
import type { Serving } from '../serving.js';
import { includeObject, partialMetadata, row, tableHead, type TableOptions } from './table.js';

/** Converts objects to the representation that a request accepts. */
export class Presenter {
  readonly #definition: ResourceDefinition;
  readonly #representation: Representation;
  readonly #table: Omit<TableOptions, 'now'>;
  readonly #serving: Pick<Serving, 'clock' | 'itemTexts'>;
  #columnsSent = false;

  /**
   * Throws 406 if the client accepts no representation that the server supports. `name` is the name of the object in the path, if any.
   * `streams` is true for a watch, and `hasTables` is false for objects without table columns.
   */
  constructor(
    definition: ResourceDefinition,
    {
      request,
      name,
      streams = false,
      hasTables = true,
    }: {
      readonly request: ApiRequest;
      readonly name: string | undefined;
      readonly streams?: boolean;
      readonly hasTables?: boolean;
    },
    serving: Pick<Serving, 'clock' | 'itemTexts'>,
  ) {
    this.#definition = definition;
    const requested = {
      custom: definition.custom === true,
      collection: name === undefined && request.method === 'GET',
      hasTables,
    };
    this.#representation = representation(request.headers['accept'], requested, { streams });
    this.#table = {
      apiVersion: this.#representation.apiVersion,
      includeObject: this.#representation.as === 'Table' ? includeObject(request.query) : 'None',
    };
    this.#serving = serving;
  }

  get encoding(): Encoding {
    return this.#representation.encoding;
  }

  /** Returns the answer with an object of the kind. The default status is 200. */
  answer(object: ApiObject, status = 200): Answer {
    return this.status(this.object(object), status);
  }

  /** Returns the answer with a Status, which is not converted. */
  status(body: object, status = 200): Answer {
    return { kind: 'value', status, body, encoding: this.encoding };
  }

  /** Returns the answer with a list. */
  listAnswer(list: ListResult): Answer {
    return { kind: 'list', body: this.list(list), encoding: this.encoding };
  }

  /** Whether objects are sent without conversion. */
  get plain(): boolean {
    return this.#representation.as === 'object';
  }

  get tabular(): boolean {
    return this.#representation.as === 'Table';
  }

  /** Whether a watch can send events in this representation. An event contains a single object, so a watch cannot send lists. */
  get showsEvents(): boolean {
    return this.#representation.as !== 'PartialObjectMetadataList';
  }

  /** Returns the object of a watch event. Only the first table of a watch has column definitions. */
  event(object: ApiObject): object {
    const shown = this.object(object);
    if (!this.tabular) return shown;
    const columnDefinitions = this.#columnsSent ? null : this.#definition.columns;
    this.#columnsSent = true;
    return { ...shown, columnDefinitions };
  }

  object(object: ApiObject): object {
    switch (this.#representation.as) {
      case 'object':
        return object;
      case 'PartialObjectMetadataList':
        // A kube-apiserver serves custom resources with a separate handler, which has its own error message.
        if (this.#definition.custom) throw failure(500, '', { message: 'content is not a list' });
        throw otherShape('PartialObjectMetadataList', 'is not a list', this.#goType(''));
      case 'PartialObjectMetadata':
        return this.#partial(object);
      case 'Table': {
        const { resourceVersion } = object.metadata;
        const options = this.#tableOptions();
        const rows = [row(this.#definition, object, options)];
        return { ...tableHead(this.#definition, { resourceVersion }, options), rows };
      }
    }
  }

  /** Returns the body of a list. Each item is converted when the server writes the item. */
  list({ items, metadata }: ListResult): ListBody {
    const { apiVersion, as } = this.#representation;
    const { custom, listKind } = this.#definition;
    switch (as) {
      case 'object':
        return {
          head: typeFirst({ kind: listKind, apiVersion: this.#definition.apiVersion, metadata }, this.#definition),
          field: 'items',
          values: items,
          value: (item) => (custom ? item : untyped(item as ApiObject)),
          text: (item) => this.#serving.itemTexts.of(item as ApiObject, custom ? stringifyJson : untypedText),
        };
      case 'PartialObjectMetadata':
        throw otherShape('PartialObjectMetadata', 'is a list', this.#goType('List'));
      case 'PartialObjectMetadataList':
        return {
          head: { kind: 'PartialObjectMetadataList', apiVersion, metadata: withoutEnd(metadata) },
          field: 'items',
          values: items,
          ...contents((item) => this.#partial(item)),
        };
      case 'Table': {
        const options = this.#tableOptions();
        return {
          head: tableHead(this.#definition, withoutEnd(metadata), options),
          field: 'rows',
          values: items,
          ...contents((item) => row(this.#definition, item, options)),
        };
      }
    }
  }

  /**
   * Returns the object of a bookmark: an empty object with a resourceVersion. At the end of the initial events, the object also has an
   * annotation.
   */
  bookmark(resourceVersion: string, endOfInitialEvents: boolean): object {
    const end = endOfInitialEvents ? { 'k8s.io/initial-events-end': 'true' } : {};
    const zeros = this.plain ? this.#definition.strategy.zeroFields?.annotations : undefined;
    const annotations = { ...zeros, ...end };
    const metadata = { resourceVersion, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) };
    // A bookmark has no other metadata.
    return this.event({ ...this.#blank(), metadata } as ApiObject);
  }

  /** Returns an empty object of the kind. */
  #blank(): object {
    const { kind, apiVersion, strategy } = this.#definition;
    const { empty = {} } = emptyOf(this.#definition);
    const { spec } = strategy.zeroFields ?? {};
    return {
      kind,
      apiVersion,
      ...empty,
      ...(spec === undefined ? {} : { spec: { ...objectAt(empty, 'spec'), ...spec } }),
    };
  }

  /** Returns the options of a table, with the current time for the computation of ages. */
  #tableOptions(): TableOptions {
    return { ...this.#table, now: this.#serving.clock.now() };
  }

  #partial(object: ApiObject): object {
    return partialMetadata(object, this.#representation.apiVersion);
  }

  /** Returns the Go type of the objects, or of their lists, in a kube-apiserver. */
  #goType(suffix: '' | 'List'): string {
    const { goTypes, apiVersion, kind } = this.#definition;
    const type = goTypes?.kind(apiVersion, kind);
    if (type?.kind !== 'struct') return `*unstructured.Unstructured${suffix}`;
    return `*${type.key.split('/')[0]}.${kind}${suffix}`;
  }
}

/** Returns the functions of a list whose items are converted when they are sent. */
function contents(convert: (item: ApiObject) => object): Pick<ListBody, 'value' | 'text'> {
  const value = (item: unknown): object => convert(item as ApiObject);
  return { value, text: (item) => stringifyJson(value(item)) };
}

/** Removes an empty `continue` field, which only complete lists of custom resources have. */
function withoutEnd(metadata: ListResult['metadata']): object {
  if (metadata.continue !== '') return metadata;
  const { continue: _, ...rest } = metadata;
  return rest;
}

/**
 * Returns the JSON of a list item without its apiVersion and its kind. Only lists of custom resources repeat these fields in each item.
 */
function untypedText(object: ApiObject): string {
  return stringifyJson(untyped(object));
}

function untyped(object: ApiObject): object {
  const { apiVersion: _, kind: __, ...rest } = object;
  return rest;
}
