import { isObject, type JsonDraft, type JsonObject, objectAt } from '../../registry/json-object.js';
import { builtInV2, customKindV2 } from './open-api-v2-schemas.js';

/** An OpenAPI 3 document, as far as one of version 2 is made from it. */
export interface OpenApiV3Document {
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
  /** Whether the kinds of the document are those of CustomResourceDefinitions. */
  readonly custom: boolean;
}

const produced = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** The OpenAPI 2 document of everything that the given documents describe. */
export function openApiV2(documents: readonly OpenApiV3Document[]): JsonObject {
  const definitions: JsonDraft = {};
  const paths: JsonDraft = {};
  for (const { paths: own, schemas, custom } of documents) {
    for (const [name, schema] of Object.entries(schemas)) {
      definitions[name] ??= custom && !name.startsWith('io.k8s.') ? customKindV2(schema) : builtInV2(schema);
    }
    for (const [path, item] of Object.entries(own)) if (isObject(item)) paths[path] = pathItem(item);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: sorted(paths),
    definitions: sorted(definitions),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    security: [{ BearerToken: [] }],
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

/** Of version 2, a parameter says its type itself. */
function parameters(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((parameter: unknown) => {
    if (!isObject(parameter)) return parameter;
    const { schema, ...rest } = parameter;
    return { ...(isObject(schema) ? schema : {}), ...rest };
  });
}

function sorted(record: JsonDraft): JsonObject {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}
