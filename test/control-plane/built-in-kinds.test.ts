import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { builtInKinds, builtInSchema } from '@kubewright/api/built-in';
import type { KindInfo } from '@kubewright/api/metadata';
import type { StructuralSchema } from '@kubewright/api/schema';
import { Transport } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

interface ServedResource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}
/** A schema of an OpenAPI document. The schema may contain references to other schemas of the document. */
interface DocumentSchema {
  readonly $ref?: string;
  readonly allOf?: readonly DocumentSchema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly items?: DocumentSchema;
  readonly additionalProperties?: DocumentSchema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}
type Document = Readonly<Record<string, DocumentSchema>>;

let env: TestEnvironment;
let transport: Transport;
const documents = new Map<string, Promise<Document>>();

before(async () => {
  env = await startEnvironment({ server: 'control-plane' });
  transport = new Transport(env.connection);
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

describe('built-in kinds match a real API server', () => {
  for (const kind of builtInKinds()) {
    test(`the kind ${kind.kind} of ${kind.apiVersion} has the names, the scope, and the status subresource of the server`, async () => {
      const resources = await served(kind);
      const found = resources.find(({ name, kind: served }) => served === kind.kind && !name.includes('/'));
      assert.deepEqual(
        found && {
          plural: found.name,
          singular: found.singularName,
          namespaced: found.namespaced,
          shortNames: (found.shortNames ?? []).toSorted(),
          categories: (found.categories ?? []).toSorted(),
          hasStatus: resources.some(({ name }) => name === `${found.name}/status`),
        },
        {
          plural: kind.plural,
          singular: kind.singular,
          namespaced: kind.namespaced,
          shortNames: kind.shortNames.toSorted(),
          categories: kind.categories.toSorted(),
          hasStatus: kind.hasStatus,
        },
      );
    });

    test(`the kind ${kind.kind} of ${kind.apiVersion} has every field of the server with the same type`, async () => {
      const schemas = await document(kind);
      const whole = Object.values(schemas).find((schema) => isOf(schema, kind));
      const ours = builtInSchema(kind.apiVersion, kind.kind);
      assert.ok(whole && ours);
      assert.deepEqual(fieldsOf(ours), documentFields(whole, schemas));
    });
  }
});

async function served({ group, apiVersion }: KindInfo): Promise<readonly ServedResource[]> {
  const path = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  return (await transport.request<{ resources: readonly ServedResource[] }>({ method: 'GET', path })).resources;
}

function document({ group, apiVersion }: KindInfo): Promise<Document> {
  const path = `/openapi/v3/${group === '' ? 'api' : 'apis'}/${apiVersion}`;
  const known = documents.get(path);
  if (known !== undefined) return known;
  const requested = transport
    .request<{ components: { schemas: Document } }>({ method: 'GET', path })
    .then(({ components }) => components.schemas);
  documents.set(path, requested);
  return requested;
}

function isOf(schema: DocumentSchema, { group, version, kind }: KindInfo): boolean {
  const named = schema['x-kubernetes-group-version-kind'] ?? [];
  return named.length === 1 && named.every((is) => is.group === group && is.version === version && is.kind === kind);
}

/** Returns the path of every field with its type. Expands a recursive schema once. */
function fieldsOf(schema: StructuralSchema, path = '', above: readonly StructuralSchema[] = []): readonly string[] {
  if (above.includes(schema)) return [`${path} recursive`];
  const inside = [...above, schema];
  const { properties = {}, items, additionalProperties } = schema;
  return reported(path, schema.type, [
    ...Object.entries(properties).flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`, inside)),
    ...(items === undefined ? [] : fieldsOf(items, `${path}[]`, inside)),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${path}{}`, inside) : []),
  ]);
}

function documentFields(
  given: DocumentSchema,
  schemas: Document,
  { path = '', above = [] }: { readonly path?: string; readonly above?: readonly DocumentSchema[] } = {},
): readonly string[] {
  const schema = resolved(given, schemas);
  if (above.includes(schema)) return [`${path} recursive`];
  const inside = [...above, schema];
  const { properties = {}, items, additionalProperties } = schema;
  const below = (field: DocumentSchema, at: string): readonly string[] =>
    documentFields(field, schemas, { path: at, above: inside });
  return reported(path, schema.type, [
    ...Object.entries(properties).flatMap(([name, field]) => below(field, `${path}.${name}`)),
    ...(items === undefined ? [] : below(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? below(additionalProperties, `${path}{}`) : []),
  ]);
}

function reported(path: string, type: string | undefined, below: readonly string[]): readonly string[] {
  return [`${path} ${type ?? 'any'}`, ...below].toSorted();
}

/** Resolves a reference to another schema. A field with a default or its own description contains its reference in `allOf`. */
function resolved(schema: DocumentSchema, schemas: Document): DocumentSchema {
  const [only] = schema.allOf ?? [];
  const reference = schema.$ref ?? only?.$ref;
  if (reference === undefined) return schema;
  const target = schemas[reference.slice('#/components/schemas/'.length)];
  assert.ok(target, `the document does not have ${reference}`);
  return resolved(target, schemas);
}
