import { append } from '@kubewright/api/json';
import type { OpenApiSchema } from '../../registry/cluster-data/cluster-data.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { Registry } from '../../registry/registry.js';
import { withMetadataDescriptions } from './metadata-descriptions.js';

const prefix = '#/components/schemas/';

/** The schemas of built-in kinds, as published by a kube-apiserver, with descriptions of their metadata. */
export class BuiltInSchemas {
  /** The Kubernetes version of the schemas, such as '1.36'. */
  readonly version: string;
  readonly all: Readonly<Record<string, OpenApiSchema>>;
  readonly #names = new Map<string, string>();

  constructor({ kubernetes, data }: Pick<Registry, 'kubernetes' | 'data'>) {
    this.version = `1.${kubernetes.minor}`;
    this.all = withMetadataDescriptions(data.openApiSchemas());
    for (const [name, schema] of Object.entries(this.all)) {
      const kinds = schema['x-kubernetes-group-version-kind'];
      if (!Array.isArray(kinds) || kinds.length !== 1) continue;
      const [own] = kinds as readonly { group: string; version: string; kind: string }[];
      if (own === undefined) continue;
      const key = keyOf(own);
      if (!this.#names.has(key)) this.#names.set(key, name);
    }
  }

  /** Returns the name of the schema of a kind, or undefined if the kind has no schema of its own. */
  nameOf(definition: ResourceDefinition): string | undefined {
    return this.#names.get(keyOf(definition));
  }

  /** Returns the names of the root schemas and of all schemas that they reference. */
  closure(roots: readonly string[]): ReadonlySet<string> {
    const needed = new Set<string>();
    const open = [...roots];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const schema = this.all[name];
      if (schema === undefined || needed.has(name)) continue;
      needed.add(name);
      append(open, references(schema));
    }
    return needed;
  }
}

function keyOf({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`;
}

function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child.slice(prefix.length)] : references(child),
  );
}
