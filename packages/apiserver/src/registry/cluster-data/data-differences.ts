import { readFileSync } from 'node:fs';
import { ChangedMessages, ChangedSchemas, type ModuleChanges } from '@kubewright/api/built-in-versions';
import { applyMergePatch } from '@kubewright/api/patch';
import type { MessageSet } from '@kubewright/api/protobuf';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { JsonObject } from '../objects/api-object.js';
import { stringAt } from '../objects/json-object.js';

/** A group in aggregated discovery. */
interface Group {
  readonly metadata: { readonly name?: string };
}

/** The differences of a Kubernetes version from the default version. All parts except `discovery` and `bootstrap` are merge patches. */
interface Recorded {
  /** All groups in their order. A text is the name of an unchanged group, and the name of the core group is ''. */
  readonly discovery: readonly (string | Group)[];
  readonly tables: object;
  readonly goTypes: object;
  readonly openApiSchemas: object;
  /** The patches of the generated schemas, and of the protobuf messages, by module. */
  readonly schemas: ModuleChanges;
  readonly messages: ModuleChanges;
  readonly bootstrap: {
    /** The keys of the initial objects that the version does not have: apiVersion, kind, namespace and name. */
    readonly removed: readonly string[];
    /** The new and changed initial objects. */
    readonly objects: readonly JsonObject[];
  };
}

/** The recorded differences of a Kubernetes version. The methods apply the differences to the data of the default version. */
export class DataDifferences {
  readonly #recorded: Recorded;
  #schemas: ChangedSchemas | undefined;
  #messages: Promise<ChangedMessages> | undefined;

  /** Reads the differences of a version. */
  constructor(version: string) {
    const file = new URL(`../../../data/kubernetes-${version}.json`, import.meta.url);
    this.#recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  }

  /** Returns the groups of the version, in the order of discovery. */
  discovery<T extends Group>(from: readonly T[]): readonly T[] {
    const groups = new Map(from.map((group) => [group.metadata.name ?? '', group]));
    return this.#recorded.discovery.flatMap((group) =>
      typeof group === 'string' ? (groups.get(group) ?? []) : (group as T),
    );
  }

  /** Returns the table columns, the Go types or the OpenAPI schemas of the version. */
  changed<T extends object>(part: 'tables' | 'goTypes' | 'openApiSchemas', from: T): T {
    return applyMergePatch(from, this.#recorded[part]) as T;
  }

  /** Returns the initial objects of the version. */
  bootstrap(from: readonly JsonObject[]): readonly JsonObject[] {
    const { removed, objects } = this.#recorded.bootstrap;
    const replaced = new Set([...removed, ...objects.map(keyOf)]);
    return [...from.filter((object) => !replaced.has(keyOf(object))), ...objects];
  }

  /** Returns the schema of a built-in kind, or undefined. */
  schema(apiVersion: string, kind: string): StructuralSchema | undefined {
    this.#schemas ??= new ChangedSchemas(this.#recorded.schemas);
    return this.#schemas.find(apiVersion, kind);
  }

  /** Returns the protobuf messages of a built-in group-version, or undefined. */
  async messages(apiVersion: string): Promise<MessageSet | undefined> {
    this.#messages ??= ChangedMessages.load(this.#recorded.messages);
    return (await this.#messages).find(apiVersion);
  }
}

/** Returns the key of an initial object, such as `v1 Service default kubernetes`. */
function keyOf(object: JsonObject): string {
  const { apiVersion, kind } = object;
  return [apiVersion, kind, stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join(' ');
}
