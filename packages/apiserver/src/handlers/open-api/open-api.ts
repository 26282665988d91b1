import type { Registry } from '../../registry/registry.js';
import { discoveredGroups } from '../discovery/discovery.js';
import { inTurns } from '../in-turns.js';
import { BuiltInSchemas } from './built-in-schemas.js';
import { GroupVersionDocument } from './group-version-document.js';
import type { JsonDocument } from './json-document.js';
import { type Version2Parts, version2PartsSteps, version2Steps } from './open-api-v2.js';
import { type EncodedParts, encodedPartsSteps, encodedSteps } from './open-api-v2-protobuf.js';

/** The documents of all group-versions, until the resources of the server change. */
interface Current {
  readonly documents: ReadonlyMap<string, GroupVersionDocument>;
  index?: Promise<string>;
  version2?: Promise<JsonDocument>;
  protobuf?: Promise<Uint8Array>;
}

/** The resources and the version of a server. */
export type OpenApiSource = Pick<Registry, 'all' | 'kubernetes' | 'data'>;

/**
 * The OpenAPI documents of the server, which are built in steps on the first request. kubectl reads these documents before an apply and for
 * `kubectl explain`. The schemas of built-in kinds are the schemas of a kube-apiserver. The schemas of custom kinds are generated from
 * their definitions.
 */
export class OpenApi {
  readonly #registry: OpenApiSource;
  /** The documents before the last change. A document whose resources have not changed is reused. */
  #before: ReadonlyMap<string, GroupVersionDocument> = new Map();
  #current: Current | undefined;
  #schemas: BuiltInSchemas | undefined;
  #builtIn: Promise<Version2Parts> | undefined;
  #encodedBuiltIn: Promise<EncodedParts> | undefined;

  constructor(registry: OpenApiSource) {
    this.#registry = registry;
  }

  /** Discards the documents of groups whose resources have changed. The next request builds them again. */
  invalidate(): void {
    if (this.#current !== undefined) this.#before = this.#current.documents;
    this.#current = undefined;
  }

  /** Returns the document of /openapi/v2 as JSON. */
  version2(): Promise<JsonDocument> {
    const current = this.#now();
    current.version2 ??= this.#makeVersion2(current);
    return current.version2;
  }

  /** Returns the document of /openapi/v2 as Protocol Buffers. */
  protobuf(): Promise<Uint8Array> {
    const current = this.#now();
    current.protobuf ??= this.#makeProtobuf(current);
    return current.protobuf;
  }

  /** Returns the JSON text of /openapi/v3: the location of the document of each group-version. */
  index(): Promise<string> {
    const current = this.#now();
    current.index ??= indexOf(current);
    return current.index;
  }

  /**
   * Returns the document of a group-version such as 'api/v1' or 'apis/apps/v1', or undefined if the server does not serve the
   * group-version.
   */
  async document(path: string): Promise<JsonDocument | undefined> {
    return this.#now().documents.get(path)?.version3();
  }

  get #builtInSchemas(): BuiltInSchemas {
    this.#schemas ??= new BuiltInSchemas(this.#registry);
    return this.#schemas;
  }

  #now(): Current {
    if (this.#current !== undefined) return this.#current;
    const documents = new Map<string, GroupVersionDocument>();
    for (const { group, versions } of discoveredGroups(this.#registry)) {
      for (const { version, resources } of versions) {
        const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
        const known = this.#before.get(path);
        const same = known?.describes(resources) === true ? known : undefined;
        documents.set(path, same ?? new GroupVersionDocument(path, resources, this.#builtInSchemas));
      }
    }
    this.#before = documents;
    this.#current = { documents };
    return this.#current;
  }

  async #makeVersion2({ documents }: Current): Promise<JsonDocument> {
    const parts = [await this.#builtInParts()];
    for (const document of documents.values()) parts.push(await document.version2());
    return inTurns(version2Steps(parts, this.#builtInSchemas.version));
  }

  async #makeProtobuf({ documents }: Current): Promise<Uint8Array> {
    this.#encodedBuiltIn ??= this.#builtInParts().then((parts) => inTurns(encodedPartsSteps(parts)));
    const parts = [await this.#encodedBuiltIn];
    for (const document of documents.values()) parts.push(await document.encoded());
    return inTurns(encodedSteps(parts, this.#builtInSchemas.version));
  }

  #builtInParts(): Promise<Version2Parts> {
    const schemas = this.#builtInSchemas.all;
    this.#builtIn ??= inTurns(version2PartsSteps({ paths: {}, schemas, custom: false }));
    return this.#builtIn;
  }
}

async function indexOf({ documents }: Current): Promise<string> {
  const paths: Record<string, object> = {};
  for (const [path, document] of documents) {
    const { hash } = await document.version3();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return JSON.stringify({ paths });
}
