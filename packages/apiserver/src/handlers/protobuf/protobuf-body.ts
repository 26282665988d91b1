import { Breaks, type Steps } from '@kubewright/api/apply';
import { stringifyJson } from '@kubewright/api/json';
import { GoTypes } from '../../registry/cluster-data/go-types.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { JsonDraft } from '../../registry/objects/api-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';
import { mediaType, protobufType } from '../answers/accept.js';
import type { ApiRequest } from '../api-request.js';
import { beginningOf } from '../request-body.js';
import { ProtobufDecoder } from './protobuf-decoder.js';
import { MalformedMessageError, wireFields } from './wire-reader.js';

/** The bytes at the beginning of each protobuf body. */
const prefix = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** Converts requests with protobuf bodies, which typed Go clients send for built-in kinds, to requests with JSON bodies. */
export class ProtobufBodies {
  /** The types of the options of deletions, which are the same for built-in and custom resources. */
  readonly #optionTypes = new GoTypes();

  /**
   * Converts a request with a protobuf body to a request with a JSON body. Returns other requests, and requests that write custom
   * resources, unchanged. Throws 400 for a malformed message, and 413 for too many values or fields.
   */
  *asJson(request: ApiRequest, definition: ResourceDefinition): Steps<ApiRequest> {
    const { kind } = definition;
    const goTypes = definition.goTypes ?? (request.method === 'DELETE' ? this.#optionTypes : undefined);
    if (goTypes === undefined || mediaType(request.headers['content-type'] ?? '').type !== protobufType) return request;
    if (request.body.length === 0) return withJson(request, request.body);
    const {
      apiVersion,
      kind: given,
      raw,
    } = yield* wellFormed(
      envelope(request.body),
      (why) => `the object provided is unrecognized (must be of type ${kind}): ${why} (${beginningOf(request.body)})`,
    );
    const type = given === 'DeleteOptions' ? goTypes.kind('v1', given) : goTypes.kind(apiVersion, given);
    const object =
      type?.kind !== 'struct'
        ? {}
        : yield* wellFormed(
            new ProtobufDecoder(goTypes).struct(raw, type.key),
            (why) => `${given} in version "${apiVersion.split('/').at(-1)}" cannot be handled as a ${kind}: ${why}`,
          );
    yield;
    const body = Buffer.from(stringifyJson({ ...typed(apiVersion, given), ...object }));
    yield;
    return withJson(request, body);
  }
}

/** Returns the result of `read`. Throws 400 with the text of `refusal` for a malformed message. */
function* wellFormed<T>(read: Steps<T>, refusal: (why: string) => string): Steps<T> {
  try {
    return yield* read;
  } catch (error) {
    if (error instanceof MalformedMessageError) throw badRequest(refusal(error.message));
    throw error;
  }
}

function withJson(request: ApiRequest, body: Uint8Array): ApiRequest {
  return { ...request, body, headers: { ...request.headers, 'content-type': 'application/json' } };
}

function typed(apiVersion: string, kind: string): JsonDraft {
  return { ...(apiVersion === '' ? {} : { apiVersion }), ...(kind === '' ? {} : { kind }) };
}

/** The content of a protobuf body: the type of the object, and the encoded object. */
interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

function* envelope(body: Uint8Array): Steps<Envelope> {
  if (!prefix.every((byte, index) => body[index] === byte)) {
    const expected = `expected prefix [${prefix.join(' ')}]`;
    throw new MalformedMessageError(`provided data does not appear to be a protobuf message, ${expected}`);
  }
  if (body.length === prefix.length) throw new MalformedMessageError('empty body');
  const parts = yield* bytesOf(body.subarray(prefix.length));
  const type = yield* bytesOf(parts.get(1) ?? new Uint8Array(), 'TypeMeta');
  const text = (number: number): string => new TextDecoder().decode(type.get(number) ?? new Uint8Array());
  return { apiVersion: text(1), kind: text(2), raw: parts.get(2) ?? new Uint8Array() };
}

function* bytesOf(message: Uint8Array, struct?: string): Steps<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  const breaks = new Breaks();
  for (const { number, value } of wireFields(message, struct)) {
    if (breaks.isDue()) yield;
    if (value instanceof Uint8Array) found.set(number, value);
  }
  return found;
}
