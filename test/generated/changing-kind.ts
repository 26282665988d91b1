import assert from 'node:assert/strict';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { ContractApi } from '../contract/contract-api.js';

/** The fields of a definition other than the schema of the spec. */
export interface DefinitionParts {
  readonly rootSchema?: StructuralSchema;
  readonly rootProperties?: Readonly<Record<string, StructuralSchema>>;
  readonly subresources?: object;
  readonly selectableFields?: readonly object[];
  /** Whether the schema has a field `changed` with the default true. The default shows that the server uses the schema. @default false */
  readonly marked?: boolean;
}

type Spec = Readonly<Record<string, unknown>>;
const quiet = { quiet: true };

/** A kind whose definition changes while objects of the kind exist. */
export class ChangingKind {
  readonly #api: ContractApi;
  current: CustomResourceDefinition;

  private constructor(api: ContractApi, current: CustomResourceDefinition) {
    this.#api = api;
    this.current = current;
  }

  static definition(
    group: string,
    spec: StructuralSchema,
    { rootSchema = {}, rootProperties = {}, marked = false, ...more }: DefinitionParts = {},
  ): CustomResourceDefinition {
    const status = { type: 'object', properties: { more: { type: 'integer' } } };
    const openAPIV3Schema = {
      type: 'object',
      properties: {
        ...rootProperties,
        spec,
        status,
        ...(marked ? { changed: { type: 'boolean', default: true } } : {}),
      },
      ...rootSchema,
    };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `changings.${group}` },
      spec: { group, names: { kind: 'Changing', plural: 'changings' }, scope: 'Namespaced', versions: [version] },
    } as unknown as CustomResourceDefinition;
  }

  static async install(api: ContractApi, spec: StructuralSchema, parts?: DefinitionParts): Promise<ChangingKind> {
    const made = await api.post(definitions, ChangingKind.definition(api.group, spec, parts), quiet);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const kind = new ChangingKind(api, made.body as never);
    await api.until(kind.path, ({ status }) => status === 200);
    const established = await api.until(kind.#own, ({ body }) => body.status?.storedVersions?.[0] === 'v1');
    kind.current = established.body as never;
    return kind;
  }

  get #own(): string {
    return `${definitions}/changings.${this.#api.group}`;
  }

  /** The URL path of the collection of objects. */
  get path(): string {
    return `/apis/${this.#api.group}/v1/namespaces/${this.#api.namespace}/changings`;
  }

  /** Changes the schema of the spec, and waits until the server uses the new schema. */
  async change(spec: StructuralSchema, parts: DefinitionParts = {}): Promise<void> {
    const before = await this.#api.post(this.path, this.#object('marked', undefined), quiet);
    assert.equal(before.status, 201, JSON.stringify(before.body));
    const next = ChangingKind.definition(this.#api.group, spec, { ...parts, marked: true });
    assert.equal(await this.put(next), 200);
    await this.#api.until(`${this.path}/marked`, ({ body }) => body.changed === true);
  }

  /** Replaces the definition, and returns the status code of the response. */
  async put(next: CustomResourceDefinition): Promise<number> {
    const { body } = await this.#api.get(this.#own, quiet);
    const metadata = { name: body.metadata.name, resourceVersion: body.metadata.resourceVersion };
    const answer = await this.#api.put(this.#own, { ...next, metadata, status: undefined }, quiet);
    return answer.status;
  }

  async create(name: string, spec: Spec): Promise<Spec> {
    const answer = await this.#api.post(this.path, this.#object(name, spec), quiet);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.spec as Spec;
  }

  /** Creates an object as a dry run, and returns the status code of the response. */
  async tryCreate(spec: Spec): Promise<number> {
    return (await this.#api.post(`${this.path}?dryRun=All`, this.#object('another', spec), quiet)).status;
  }

  async read(name: string): Promise<Spec> {
    const { status, body } = await this.#api.get(`${this.path}/${name}`, quiet);
    assert.equal(status, 200, JSON.stringify(body));
    return (body.spec ?? {}) as Spec;
  }

  async relabel(name: string): Promise<number> {
    return (await this.#api.patch(`${this.path}/${name}`, { metadata: { labels: { seen: 'yes' } } }, quiet)).status;
  }

  async edit(name: string, spec: Spec): Promise<number> {
    return (await this.#api.patch(`${this.path}/${name}`, { spec }, quiet)).status;
  }

  /** Applies an object with the field manager `other` and with force, and returns the status code of the response. */
  async apply(name: string, spec: Spec): Promise<number> {
    const type = 'application/apply-patch+yaml';
    const path = `${this.path}/${name}?fieldManager=other&force=true`;
    return (await this.#api.patch(path, this.#object(name, spec), { ...quiet, type })).status;
  }

  async remove(name: string): Promise<void> {
    await this.#api.delete(`${this.path}/${name}`, undefined, quiet);
  }

  #object(name: string, spec: Spec | undefined): object {
    return { apiVersion: `${this.#api.group}/v1`, kind: 'Changing', metadata: { name }, ...(spec && { spec }) };
  }
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
