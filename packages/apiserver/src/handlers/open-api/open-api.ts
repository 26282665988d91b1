import { readFileSync } from 'node:fs';
import { append } from '@kubewright/api/json';
import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { schemaFile } from '../../registry/cluster-data.js';
import { compareVersions } from '@kubewright/api/names';
import { contentHash, type GroupVersions } from '../discovery/discovery.js';
import { type SchemaNames, scaleSchema } from './open-api-operations.js';
import { openApiPaths } from './open-api-paths.js';
import { openApiV2 } from './open-api-v2.js';
import { openApiV2Protobuf } from './open-api-v2-protobuf.js';
import { customComponents } from './open-api-custom.js';

const prefix = '#/components/schemas/';

/** A schema as an OpenAPI document writes it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** A document of everything that the server has. */
export interface WholeDocument {
  readonly json: string;
  readonly hash: string;
  readonly protobuf: () => Uint8Array;
}

/**
 * The OpenAPI documents of the server, made on demand: kubectl reads them before it sends an apply, and to explain
 * kinds. Schemas of built-in kinds are a real server's; those of custom kinds come from their definitions.
 */
export class OpenApi {
  readonly #groups: () => readonly GroupVersions[];
  readonly #documents = new Map<string, string>();
  #version2: WholeDocument | undefined;
  #builtIn: Readonly<Record<string, OpenApiSchema>> | undefined;

  constructor(groups: () => readonly GroupVersions[]) {
    this.#groups = groups;
  }

  /** Forgets the documents; the next request makes them anew. */
  invalidate(): void {
    this.#documents.clear();
    this.#version2 = undefined;
  }

  /** The one document of /openapi/v2. */
  version2(): WholeDocument {
    this.#version2 ??= this.#makeVersion2();
    return this.#version2;
  }

  /** /openapi/v3: where the document of each group-version is. */
  index(): object {
    const paths: Record<string, object> = {};
    for (const { group, versions } of this.#groups()) {
      for (const { version } of versions.toSorted((a, b) => compareVersions(a.version, b.version))) {
        const path = pathOf(group, version);
        const hash = contentHash(this.document(path) ?? '');
        paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
      }
    }
    return { paths };
  }

  /** The document of a group-version such as 'api/v1' or 'apis/apps/v1', as JSON text. */
  document(path: string): string | undefined {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    for (const { group, versions } of this.#groups()) {
      const found = versions.find(({ version }) => pathOf(group, version) === path);
      if (found === undefined) continue;
      const text = JSON.stringify(this.#make(path, found.resources));
      this.#documents.set(path, text);
      return text;
    }
    return undefined;
  }

  #make(path: string, resources: readonly ResourceDefinition[]): MadeDocument {
    const all = this.#schemas();
    const schemas: Record<string, unknown> = {};
    const names = new Map<ResourceDefinition, SchemaNames>();
    for (const definition of resources) {
      if (definition.custom) {
        const { names: own, components } = customComponents(definition);
        Object.assign(schemas, components);
        names.set(definition, own);
      } else {
        const object = this.#nameOf(definition);
        if (object !== undefined) names.set(definition, { object, list: `${object}List` });
      }
    }
    const scaled = resources.some(({ subresources }) => subresources.has('scale'));
    const roots = [...names.values()].flatMap(({ object, list }) => [object, list]);
    append(roots, alwaysThere, scaled ? [scaleSchema] : []);
    for (const component of Object.values(schemas)) append(roots, references(component));
    for (const name of closure(roots, all)) schemas[name] ??= all[name];
    return {
      openapi: '3.0.0',
      info: resources.some(({ custom }) => custom) ? customInfo : { title: 'Kubernetes', version: '1.36' },
      paths: openApiPaths(`/${path}`, names),
      components: { schemas },
    };
  }

  #makeVersion2(): WholeDocument {
    const documents = this.#groups().flatMap(({ group, versions }) =>
      versions.map(({ version, resources }) => {
        const { paths, components } = this.#make(pathOf(group, version), resources);
        return { paths, schemas: components.schemas, custom: resources.some(({ custom }) => custom === true) };
      }),
    );
    const all = { paths: {}, schemas: this.#schemas(), custom: false };
    const document = openApiV2([...documents, all]);
    const json = JSON.stringify(document);
    return { json, hash: contentHash(json), protobuf: () => openApiV2Protobuf(document) };
  }

  #nameOf({ group, version, kind }: ResourceDefinition): string | undefined {
    for (const [name, schema] of Object.entries(this.#schemas())) {
      const kinds = schema['x-kubernetes-group-version-kind'];
      if (!Array.isArray(kinds) || kinds.length !== 1) continue;
      const [own] = kinds as readonly { group: string; version: string; kind: string }[];
      if (own?.group === group && own.version === version && own.kind === kind) return name;
    }
    return undefined;
  }

  #schemas(): Readonly<Record<string, OpenApiSchema>> {
    this.#builtIn ??= (
      JSON.parse(readFileSync(schemaFile, 'utf8')) as { schemas: Record<string, OpenApiSchema> }
    ).schemas;
    return this.#builtIn;
  }
}

interface MadeDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const customInfo = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };

const alwaysThere = ['DeleteOptions', 'Patch', 'Status', 'ObjectMeta', 'ListMeta'].map(
  (kind) => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`,
);

function pathOf(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** The components that the roots need, themselves included. */
function closure(roots: readonly string[], all: Readonly<Record<string, OpenApiSchema>>): ReadonlySet<string> {
  const needed = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = all[name];
    if (schema === undefined || needed.has(name)) continue;
    needed.add(name);
    append(open, references(schema));
  }
  return needed;
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child.slice(prefix.length)] : references(child),
  );
}
