import type { Steps } from '@kubewright/api/apply';
import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt } from '../../registry/objects/json-object.js';
import { type JsonDocument, joinSteps, type NamedPart, objectPieces, textSteps } from './json-document.js';
import { builtInV2, customKindV2 } from './open-api-v2-schemas.js';

/** The parts of an OpenAPI 3 document that the conversion to version 2 needs. */
export interface OpenApiV3Document {
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
  /** Whether the kinds of the document are defined by CustomResourceDefinitions. */
  readonly custom: boolean;
}

const produced = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The parts of OpenAPI 2 documents: paths, and the schemas of kinds. */
export interface Parts<T> {
  readonly paths: readonly NamedPart<T>[];
  readonly definitions: readonly NamedPart<T>[];
}

/** Parts as JSON text. */
export type Version2Parts = Parts<string>;

/** Returns the fields of an OpenAPI 2 document of a Kubernetes version, such as '1.36', other than paths and definitions. */
export const frameOf = (version: string) => ({
  swagger: '2.0',
  info: { title: 'Kubernetes', version },
  securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
  security: [{ BearerToken: [] }],
});

/** Converts an OpenAPI 3 document to parts of version 2, in steps. */
export function* version2PartsSteps({ paths, schemas, custom }: OpenApiV3Document): Steps<Version2Parts> {
  const items: JsonDraft = {};
  for (const [path, item] of Object.entries(paths)) if (isObject(item)) items[path] = pathItem(item);
  yield;
  const definitions: NamedPart<string>[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const converted = custom && !name.startsWith('io.k8s.') ? customKindV2(schema) : builtInV2(schema);
    yield;
    definitions.push([name, JSON.stringify(converted)]);
    yield;
  }
  return { paths: yield* textSteps(items), definitions };
}

/** Joins parts into an OpenAPI 2 document, in steps. If two definitions have the same name, the document contains the first definition. */
export function* version2Steps(parts: readonly Version2Parts[], version: string): Steps<JsonDocument> {
  const { paths, definitions } = merged(parts);
  const { swagger, info, ...security } = frameOf(version);
  yield;
  return yield* joinSteps([
    `${JSON.stringify({ swagger, info }).slice(0, -1)},"paths":`,
    ...objectPieces(paths),
    ',"definitions":',
    ...objectPieces(definitions),
    `,${JSON.stringify(security).slice(1)}`,
  ]);
}

/** Returns all parts, sorted by name. If two parts have the same name, the first part remains. */
export function merged<T>(parts: readonly Parts<T>[]): Parts<T> {
  return {
    paths: sorted(parts.map(({ paths }) => paths)),
    definitions: sorted(parts.map(({ definitions }) => definitions)),
  };
}

function pathItem(item: JsonDraft): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, isObject(value) ? operation(value) : parameters(value)]),
  );
}

function operation({ responses, requestBody, parameters: own, ...rest }: JsonDraft): JsonObject {
  const content = objectAt(requestBody, 'content');
  const [body] = Object.values(content);
  const sent = body === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema: schemaOf(body) }];
  const given = [...sent, ...(Array.isArray(own) ? (parameters(own) as readonly unknown[]) : [])];
  return {
    ...rest,
    consumes: body === undefined ? ['*/*'] : Object.keys(content),
    produces: produced,
    schemes: ['https'],
    ...(given.length === 0 ? {} : { parameters: given }),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {}).map(([code, response]) => [code, responseOf(response)]),
    ),
  };
}

function responseOf(response: unknown): JsonObject {
  const [answer] = Object.values(objectAt(response, 'content'));
  return { description: 'OK', ...(answer === undefined ? {} : { schema: schemaOf(answer) }) };
}

function schemaOf(media: unknown): unknown {
  return builtInV2(objectAt(media, 'schema'));
}

/** Converts parameters to version 2, in which a parameter contains its type directly. */
function parameters(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((parameter: unknown) => {
    if (!isObject(parameter)) return parameter;
    const { schema, ...rest } = parameter;
    return { ...(isObject(schema) ? schema : {}), ...rest };
  });
}

function sorted<T>(groups: readonly (readonly NamedPart<T>[])[]): readonly NamedPart<T>[] {
  const byName = new Map<string, NamedPart<T>>();
  for (const part of groups.flat()) if (!byName.has(part[0])) byName.set(part[0], part);
  return [...byName.values()].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
}
