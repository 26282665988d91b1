import type { ApiError } from '@kubewright/api/errors';
import { emptyOf } from '../registry/go-form.js';
import type { ApiObject } from '../registry/json-object.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { failure } from '../registry/status-errors.js';
import type { ListResult } from '../registry/verb-options.js';
import { type Representation, representation } from './accept.js';
import type { ApiRequest } from './api-request.js';
import { includeObject, listMetadata, partialMetadata, table, type TableOptions } from './table.js';

/** Turns objects into what the client of one request asked to be shown. */
export class Presenter {
  readonly #definition: ResourceDefinition;
  readonly #representation: Representation;
  readonly #table: TableOptions;
  #columnsSent = false;

  /** Throws 406 when the client accepts nothing that the server has. */
  constructor(definition: ResourceDefinition, request: ApiRequest, now: Date) {
    this.#definition = definition;
    this.#representation = representation(request.headers['accept']);
    this.#table = {
      apiVersion: this.#representation.apiVersion,
      includeObject: this.#representation.as === 'Table' ? includeObject(request.query) : 'None',
      now,
    };
  }

  /** Whether objects are sent as they are. */
  get plain(): boolean {
    return this.#representation.as === 'object';
  }

  get tabular(): boolean {
    return this.#representation.as === 'Table';
  }

  object(object: ApiObject): object {
    switch (this.#representation.as) {
      case 'object':
        return object;
      case 'PartialObjectMetadata':
        if (this.#representation.list) throw failure(500, '', { message: 'content is not a list' });
        return partialMetadata(object, this.#representation.apiVersion);
      case 'Table': {
        const { resourceVersion } = object.metadata;
        return table(this.#definition, { items: [object], metadata: { resourceVersion } }, this.#table);
      }
    }
  }

  /** The object of a watch event. Of all tables that a watch sends, the first says what the columns are. */
  event(object: ApiObject): object {
    if (this.#representation.list) return partialMetadata(object, this.#representation.apiVersion);
    const shown = this.object(object);
    if (!this.tabular) return shown;
    const { columnDefinitions, ...rest } = shown as { readonly columnDefinitions?: unknown };
    if (this.#columnsSent) return rest;
    this.#columnsSent = true;
    return { ...rest, columnDefinitions };
  }

  list({ items, metadata }: ListResult): object {
    const { apiVersion, as } = this.#representation;
    switch (as) {
      case 'object':
        return {
          kind: this.#definition.listKind,
          apiVersion: this.#definition.apiVersion,
          metadata,
          items: this.#definition.custom ? items : items.map(untyped),
        };
      case 'PartialObjectMetadata': {
        if (!this.#representation.list) throw isList(this.#definition);
        const partial = items.map((item) => partialMetadata(item, apiVersion));
        return { kind: 'PartialObjectMetadataList', apiVersion, metadata: listMetadata(metadata), items: partial };
      }
      case 'Table':
        return table(this.#definition, { items, metadata }, this.#table);
    }
  }

  /** The object of a bookmark: nothing but a version, and the mark that the initial events are over. */
  bookmark(resourceVersion: string, endOfInitialEvents: boolean): object {
    const annotations = endOfInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const metadata = { resourceVersion, ...annotations };
    const { apiVersion, as } = this.#representation;
    switch (as) {
      case 'object':
        return {
          kind: this.#definition.kind,
          apiVersion: this.#definition.apiVersion,
          ...emptyOf(this.#definition).empty,
          metadata,
        };
      case 'PartialObjectMetadata':
        return { kind: 'PartialObjectMetadata', apiVersion, metadata };
      case 'Table':
        return { kind: 'Table', apiVersion, metadata, columnDefinitions: this.#definition.columns, rows: [] };
    }
  }
}

function isList({ custom, group, listKind }: ResourceDefinition): ApiError {
  const type = custom ? 'unstructured.UnstructuredList' : `${group.split('.')[0] || 'core'}.${listKind}`;
  const message = `you requested PartialObjectMetadata, but the requested object is a list (*${type})`;
  return failure(406, 'NotAcceptable', { message });
}

/** The list says once what kind its items are of; only custom ones say it again. */
function untyped({ apiVersion: _, kind: __, ...object }: ApiObject): object {
  return object;
}
