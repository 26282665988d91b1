import type { Steps } from '@kubewright/api/apply';
import type { JsonDraft } from '../../registry/objects/api-object.js';
import { isObject, objectAt } from '../../registry/objects/json-object.js';
import type { NamedPart } from './json-document.js';
import { frameOf, merged, type Parts, type Version2Parts } from './open-api-v2.js';
import { ProtoMessage } from './proto-message.js';

const operations = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Named parts of an OpenAPI 2 document as Protocol Buffers. */
export type EncodedParts = Parts<Uint8Array>;

/** Encodes parts as messages of `openapi.v2`, in steps. */
export function* encodedPartsSteps({ paths, definitions }: Version2Parts): Steps<EncodedParts> {
  return { paths: yield* encodedEach(paths, pathItem), definitions: yield* encodedEach(definitions, schema) };
}

/** Joins parts into an OpenAPI 2 document as Protocol Buffers, in steps. kubectl reads OpenAPI 2 only in this format. */
export function* encodedSteps(parts: readonly EncodedParts[], version: string): Steps<Uint8Array> {
  const { paths, definitions } = merged(parts);
  yield;
  const { swagger, info, security, securityDefinitions } = frameOf(version);
  const message = new ProtoMessage()
    .text(1, swagger)
    .message(2, new ProtoMessage().text(1, info.title).text(2, info.version))
    .message(8, yield* joinedEntries(2, paths));
  message.message(9, yield* joinedEntries(1, definitions));
  return message
    .messages(12, security.map(securityRequirement))
    .message(13, new ProtoMessage().messages(1, named(securityDefinitions, securityDefinition)))
    .encoded();
}

function* encodedEach(
  parts: readonly NamedPart<string>[],
  message: (value: JsonDraft) => ProtoMessage,
): Steps<readonly NamedPart<Uint8Array>[]> {
  const encoded: NamedPart<Uint8Array>[] = [];
  for (const [name, text] of parts) {
    const value = JSON.parse(text) as JsonDraft;
    yield;
    encoded.push([name, entry(name, message(value)).encoded()]);
    yield;
  }
  return encoded;
}

function* joinedEntries(field: number, parts: readonly NamedPart<Uint8Array>[]): Steps<ProtoMessage> {
  const message = new ProtoMessage();
  for (const [, content] of parts) {
    message.bytes(field, content);
    yield;
  }
  return message;
}

/** Returns an entry of a map: its name and its value. */
function entry(name: string, value: ProtoMessage): ProtoMessage {
  return new ProtoMessage().text(1, name).message(2, value);
}

function schema(value: JsonDraft): ProtoMessage {
  const { additionalProperties, type, items, properties } = value;
  return new ProtoMessage()
    .text(1, value['$ref'])
    .text(2, value['format'])
    .text(3, value['title'])
    .text(4, value['description'])
    .message(5, value['default'] === undefined ? undefined : anything(value['default']))
    .double(6, value['multipleOf'])
    .double(7, value['maximum'])
    .flag(8, value['exclusiveMaximum'])
    .double(9, value['minimum'])
    .flag(10, value['exclusiveMinimum'])
    .whole(11, value['maxLength'])
    .whole(12, value['minLength'])
    .text(13, value['pattern'])
    .whole(14, value['maxItems'])
    .whole(15, value['minItems'])
    .flag(16, value['uniqueItems'])
    .whole(17, value['maxProperties'])
    .whole(18, value['minProperties'])
    .texts(19, value['required'])
    .messages(20, Array.isArray(value['enum']) ? value['enum'].map(anything) : [])
    .message(21, additional(additionalProperties))
    .message(22, type === undefined ? undefined : new ProtoMessage().texts(1, [type]))
    .message(23, isObject(items) ? new ProtoMessage().message(1, schema(items)) : undefined)
    .message(25, isObject(properties) ? new ProtoMessage().messages(1, named(properties, schema)) : undefined)
    .messages(31, extensions(value));
}

function additional(value: unknown): ProtoMessage | undefined {
  if (isObject(value)) return new ProtoMessage().message(1, schema(value));
  return value === undefined ? undefined : new ProtoMessage().flag(2, value);
}

function pathItem(item: JsonDraft): ProtoMessage {
  const message = new ProtoMessage();
  for (const [index, name] of operations.entries()) {
    const found = item[name];
    if (isObject(found)) message.message(index + 2, operation(found));
  }
  return message.messages(9, objects(item['parameters']).map(parameter));
}

function operation(value: JsonDraft): ProtoMessage {
  return new ProtoMessage()
    .texts(6, value['produces'])
    .texts(7, value['consumes'])
    .messages(8, objects(value['parameters']).map(parameter))
    .message(9, new ProtoMessage().messages(1, named(value['responses'], response)))
    .texts(10, value['schemes'])
    .messages(13, extensions(value));
}

function parameter(value: JsonDraft): ProtoMessage {
  const oneOf = value['in'] === 'body' ? bodyParameter(value) : otherParameter(value);
  return new ProtoMessage().message(1, oneOf);
}

function bodyParameter(value: JsonDraft): ProtoMessage {
  const body = new ProtoMessage()
    .text(2, value['name'])
    .text(3, value['in'])
    .flag(4, value['required'])
    .message(5, schema(objectAt(value, 'schema')));
  return new ProtoMessage().message(1, body);
}

/** Returns a path or query parameter. Both have the same fields, but with different numbers for some fields. */
function otherParameter(value: JsonDraft): ProtoMessage {
  const inPath = value['in'] === 'path';
  const written = new ProtoMessage()
    .flag(1, value['required'])
    .text(2, value['in'])
    .text(4, value['name'])
    .text(inPath ? 5 : 6, value['type'])
    .flag(inPath ? 19 : 20, value['uniqueItems']);
  return new ProtoMessage().message(2, new ProtoMessage().message(inPath ? 4 : 3, written));
}

function response(value: JsonDraft): ProtoMessage {
  const answered = value['schema'];
  const message = new ProtoMessage().text(1, value['description']);
  if (isObject(answered)) message.message(2, new ProtoMessage().message(1, schema(answered)));
  return new ProtoMessage().message(1, message);
}

function securityRequirement(value: JsonDraft): ProtoMessage {
  const scopes = Object.entries(value).map(([name, list]) =>
    new ProtoMessage().text(1, name).message(2, new ProtoMessage().texts(1, list)),
  );
  return new ProtoMessage().messages(1, scopes);
}

function securityDefinition(value: JsonDraft): ProtoMessage {
  const key = new ProtoMessage().text(1, value['type']).text(2, value['name']).text(3, value['in']);
  return new ProtoMessage().message(2, key);
}

/** Returns the entries of a map as messages with name and value. */
function named(map: unknown, value: (item: JsonDraft) => ProtoMessage): readonly ProtoMessage[] {
  return Object.entries(isObject(map) ? map : {}).map(([name, item]) => entry(name, value(isObject(item) ? item : {})));
}

function extensions(value: JsonDraft): readonly ProtoMessage[] {
  const own = Object.entries(value).filter(([name]) => name.startsWith('x-'));
  return own.map(([name, extension]) => new ProtoMessage().text(1, name).message(2, anything(extension)));
}

/** Returns a message with the JSON text of a value in the field for YAML text. JSON is valid YAML. */
function anything(value: unknown): ProtoMessage {
  return new ProtoMessage().text(2, `${JSON.stringify(value)}\n`);
}

function objects(value: unknown): readonly JsonDraft[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
