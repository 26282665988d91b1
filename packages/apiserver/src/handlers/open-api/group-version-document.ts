import type { Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { inTurns } from '../in-turns.js';
import type { BuiltInSchemas } from './built-in-schemas.js';
import { type JsonDocument, joinSteps, objectPieces, textSteps } from './json-document.js';
import { customComponents } from './open-api-custom.js';
import { type SchemaNames, scaleSchema } from './open-api-operations.js';
import { openApiPaths } from './open-api-paths.js';
import { type Version2Parts, version2PartsSteps } from './open-api-v2.js';
import { type EncodedParts, encodedPartsSteps } from './open-api-v2-protobuf.js';

/** The OpenAPI documents of a group-version. Each format is built in steps on the first request, and cached. */
export class GroupVersionDocument {
  readonly #path: string;
  readonly #resources: readonly ResourceDefinition[];
  readonly #builtIn: BuiltInSchemas;
  #version3: Promise<JsonDocument> | undefined;
  #version2: Promise<Version2Parts> | undefined;
  #encoded: Promise<EncodedParts> | undefined;

  /** @param path the path of the group-version, such as 'api/v1' or 'apis/apps/v1' */
  constructor(path: string, resources: readonly ResourceDefinition[], builtIn: BuiltInSchemas) {
    this.#path = path;
    this.#resources = resources;
    this.#builtIn = builtIn;
  }

  /** Returns whether the document describes exactly these resources. */
  describes(resources: readonly ResourceDefinition[]): boolean {
    const own = this.#resources;
    return own.length === resources.length && own.every((resource, at) => resource === resources[at]);
  }

  /** Returns the OpenAPI 3 document. */
  version3(): Promise<JsonDocument> {
    this.#version3 ??= inTurns(this.#version3Steps());
    return this.#version3;
  }

  /** Returns all paths, and the schemas of the custom kinds, as OpenAPI 2. */
  version2(): Promise<Version2Parts> {
    this.#version2 ??= inTurns(this.#version2Steps());
    return this.#version2;
  }

  /** Returns the parts of `version2` as Protocol Buffers. */
  encoded(): Promise<EncodedParts> {
    this.#encoded ??= this.version2().then((parts) => inTurns(encodedPartsSteps(parts)));
    return this.#encoded;
  }

  *#version3Steps(): Steps<JsonDocument> {
    const { names, components } = yield* this.#components();
    const resources = this.#resources;
    const scaled = resources.some(({ subresources }) => subresources.has('scale'));
    const roots = [...names.values()].flatMap(({ object, list }) => [object, list]);
    append(roots, commonSchemas, scaled ? [scaleSchema] : []);
    const schemas: Record<string, unknown> = { ...components };
    for (const name of this.#builtIn.closure(roots)) schemas[name] ??= this.#builtIn.all[name];
    yield;
    const info = resources.some(({ custom }) => custom)
      ? customInfo
      : { title: 'Kubernetes', version: this.#builtIn.version };
    const paths = yield* textSteps(openApiPaths(`/${this.#path}`, names));
    return yield* joinSteps([
      `{"openapi":"3.0.0","info":${JSON.stringify(info)},"paths":`,
      ...objectPieces(paths),
      ',"components":{"schemas":',
      ...objectPieces(yield* textSteps(schemas)),
      '}}',
    ]);
  }

  *#version2Steps(): Steps<Version2Parts> {
    const { names, components } = yield* this.#components();
    const paths = openApiPaths(`/${this.#path}`, names);
    return yield* version2PartsSteps({ paths, schemas: components, custom: true });
  }

  /** Returns the names of all schemas of the resources, and the schemas of custom kinds. */
  *#components(): Steps<{
    readonly names: ReadonlyMap<ResourceDefinition, SchemaNames>;
    readonly components: Readonly<Record<string, object>>;
  }> {
    const components: Record<string, object> = {};
    const names = new Map<ResourceDefinition, SchemaNames>();
    for (const definition of this.#resources) {
      if (definition.custom) {
        const custom = customComponents(definition);
        Object.assign(components, custom.components);
        names.set(definition, custom.names);
        yield;
      } else {
        const object = this.#builtIn.nameOf(definition);
        if (object !== undefined) names.set(definition, { object, list: `${object}List` });
      }
    }
    return { names, components };
  }
}

const customInfo = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };

const commonSchemas = ['DeleteOptions', 'Patch', 'Status', 'ObjectMeta', 'ListMeta'].map(
  (kind) => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`,
);
