import type { KubeObject } from '@kubewright/api';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { invalidResponse, kindText, typeText } from './list-answer.js';
import type { ResourceInfo } from '../request/resource-path.js';

/** The kind of a response that contains only the metadata of an object. */
const PARTIAL = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
/** The metadata fields that identify a state of an object. */
const IDENTITY = ['namespace', 'uid', 'resourceVersion'] as const;
/** The maximum length of a prefix in a generated name. The server shortens longer prefixes, so that a name has at most 63 characters. */
const LONGEST_PREFIX = 58;

/** The expected properties of the object in a response, or of an item of a list. */
export interface ExpectedObject {
  readonly resource: Pick<ResourceInfo, 'apiVersion' | 'kind' | 'namespaced'>;
  /** A description of the request for error messages, such as 'get pod default/a'. */
  readonly attempted: string;
  /** The name of the object. @default any name */
  readonly name?: string | undefined;
  /** The `generateName` from which the server generated the name. @default none */
  readonly generateName?: string | undefined;
  /** The namespace of the object. @default any namespace */
  readonly namespace?: string | undefined;
  /** Whether only metadata was requested. The server may still return the whole object. @default false */
  readonly metadataOnly?: boolean | undefined;
  /** Whether the object may have no name. This is the case for reviews, which the server does not store. @default false */
  readonly mayLackName?: boolean | undefined;
  /** A description of the value for messages. @default 'the response' */
  readonly what?: string;
}

/**
 * Returns the object of a response. Adds the kind of the resource if the response omits it. Throws INVALID_RESPONSE if the value does not
 * have the form of a Kubernetes object, or has another kind, version, name or namespace. Without this check, the cache could contain an
 * object that does not exist. The message contains no value of the response except the kind and the version.
 */
export function objectAnswerOf(value: unknown, expected: ExpectedObject): KubeObject {
  const { resource, attempted, what = 'the response' } = expected;
  const object = objectFormOf(value, attempted, what);
  const { apiVersion, kind } = resource;
  if (!mayBeOf(object, resource) && !(expected.metadataOnly === true && mayBeOf(object, PARTIAL))) {
    const given = kindText(object['kind'], object['apiVersion']);
    throw invalidResponse(attempted, `${what} is ${given} instead of ${kind} of ${apiVersion}`);
  }
  const defect = keyDefect(object['metadata'], expected);
  if (defect !== undefined) throw invalidResponse(attempted, `${what} ${defect}`);
  const isComplete = object['kind'] !== undefined && object['apiVersion'] !== undefined;
  return (isComplete ? object : { ...object, apiVersion, kind }) as unknown as KubeObject;
}

/** Whether an object has this kind and apiVersion. A missing kind or apiVersion is accepted. */
export function mayBeOf({ apiVersion, kind }: JsonObject, of: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return (kind === undefined || kind === of.kind) && (apiVersion === undefined || apiVersion === of.apiVersion);
}

/**
 * Returns the value if it has the form of a Kubernetes object: the metadata, if any, is an object in which namespace, uid and
 * resourceVersion are strings or missing. Otherwise throws INVALID_RESPONSE.
 */
export function objectFormOf(value: unknown, attempted: string, what: string): JsonObject {
  if (!isJsonObject(value)) throw invalidResponse(attempted, `${what} is ${typeText(value)} instead of an object`);
  const { metadata } = value;
  if (metadata === undefined) return value;
  if (!isJsonObject(metadata)) throw invalidResponse(attempted, `the metadata of ${what} is ${typeText(metadata)}`);
  for (const field of IDENTITY) {
    if (metadata[field] === undefined || typeof metadata[field] === 'string') continue;
    const type = typeText(metadata[field]);
    throw invalidResponse(attempted, `'metadata.${field}' of ${what} is ${type} instead of a string`);
  }
  return value;
}

/** Returns how the metadata differs from the requested object. Returns undefined if it does not differ. */
function keyDefect(metadata: unknown, expected: ExpectedObject): string | undefined {
  const { name = '', namespace = '' } = isJsonObject(metadata) ? metadata : {};
  if (name === '' && expected.mayLackName === true) return undefined;
  if (typeof name !== 'string' || name === '') return 'has no name';
  if (expected.name !== undefined && name !== expected.name) return 'has an unexpected name';
  const prefix = expected.generateName?.slice(0, LONGEST_PREFIX);
  if (prefix !== undefined && !name.startsWith(prefix)) return "has a name that does not start with 'generateName'";
  if (!expected.resource.namespaced) return namespace === '' ? undefined : 'has a namespace';
  if (expected.namespace === undefined) return undefined;
  if (namespace === '') return 'has no namespace';
  return namespace === expected.namespace ? undefined : 'has an unexpected namespace';
}
