import type { ApiError } from '@kubewright/api/errors';
import { failure } from '../../registry/requests/status-errors.js';

/** The formats of responses. */
export type Encoding = 'json' | 'yaml' | 'protobuf';

/** The representation of objects that a client requests, and its format. */
export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The apiVersion of a table or of partial metadata. */
  readonly apiVersion: string;
  readonly encoding: Encoding;
}

/** The properties of the requested path that determine the acceptable types. */
export interface Requested {
  /**
   * Whether the path belongs to a custom resource. A kube-apiserver serves custom resources with a separate handler, which accepts other
   * types, and which sends only their metadata as protobuf.
   */
  readonly custom: boolean;
  /** Whether the path supports watches. The message of the 406 error then also lists the media types of watches. */
  readonly collection: boolean;
  /** Whether the server can send tables. @default true */
  readonly hasTables?: boolean;
}

/** One entry of an Accept header. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The media type of protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

/** The media types of the formats. The first type that an entry of the Accept header matches is the type of the response. */
export const encodings: readonly (readonly [Encoding, string])[] = [
  ['json', 'application/json'],
  ['yaml', 'application/yaml'],
  ['protobuf', protobufType],
];
const served = encodings.map(([, type]) => type);
const watched = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** The maximum number of values that Go sorts by insertion. */
const mostInserted = 12;

/** Returns the entries of an Accept header in the order of preference. An empty or absent header accepts all types. */
export function mediaTypes(accept: string | undefined): readonly MediaType[] {
  const entries = (accept || '*/*').split(',').flatMap((text): readonly MediaType[] => {
    const { type, parameters } = entryOf(text);
    const full = type === '*' ? '*/*' : type;
    return full.split('/').length === 2 ? [{ type: full, parameters }] : [];
  });
  if (entries.length <= mostInserted) return inserted(entries);
  return entries.toSorted((a, b) => Number(isPreferred(b, a)) - Number(isPreferred(a, b)));
}

/** Inserts each entry before less preferred entries, like Go. The comparison is not transitive, so other algorithms sort differently. */
function inserted(entries: readonly MediaType[]): readonly MediaType[] {
  const sorted: MediaType[] = [];
  for (const entry of entries) {
    let at = sorted.length;
    while (at > 0 && isPreferred(entry, sorted[at - 1] as MediaType)) at -= 1;
    sorted.splice(at, 0, entry);
  }
  return sorted;
}

/** Returns whether a server prefers an entry to the entry before it: because of its quality, or because its type is more specific. */
function isPreferred(entry: MediaType, before: MediaType): boolean {
  const [type = '', subtype] = entry.type.split('/');
  const [earlierType = '', earlierSubtype] = before.type.split('/');
  if (quality(entry) > quality(before)) return true;
  return (type !== '*' && earlierType === '*') || (subtype !== '*' && earlierSubtype === '*');
}

function quality({ parameters }: MediaType): number {
  return Number(parameters.get('q') ?? 1) || 0;
}

/** Returns a media type with its parameters. The type and the names of parameters are in lower case. */
export function mediaType(text: string): MediaType {
  const { type, parameters } = entryOf(text);
  const plain = [...parameters].map(([name, value]) => [name.toLowerCase(), value.replace(/^"|"$/g, '')] as const);
  return { type: type.toLowerCase(), parameters: new Map(plain) };
}

/** Parses one entry of an Accept header. Omits a parameter without a value or with more than one equals sign. */
function entryOf(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = rest.flatMap((part): [string, string][] => {
    const [name = '', value = '', ...others] = part.split('=');
    return value === '' || others.length > 0 ? [] : [[name.trim(), value.trim()]];
  });
  return { type, parameters: new Map(parameters) };
}

/** Returns whether the type of an entry matches a media type. */
export function accepts(entry: string, type: string): boolean {
  return entry === type || entry === '*/*' || (entry.endsWith('/*') && type.startsWith(entry.slice(0, -1)));
}

/** Returns whether the type of an entry matches `application/json`. */
export function isJson(type: string): boolean {
  return accepts(type, 'application/json');
}

/**
 * Returns the first representation that the client accepts and the server supports. Throws 406 otherwise. If `streams` is true, also
 * throws 406 if this representation is YAML, because the server does not send watch events as YAML.
 */
export function representation(
  accept: string | undefined,
  requested: Requested,
  { streams = false }: { readonly streams?: boolean } = {},
): Representation {
  checkRouted(accept, requested);
  const found = negotiated(accept, (entry, encoding) => represented(entry, encoding, requested));
  if (found === undefined) throw notAcceptable(served);
  if (streams && found.encoding === 'yaml') throw notAcceptable(watched);
  return found;
}

/** Returns the format of a document that has only one representation, such as a Scale. Throws 406 if the client accepts no format. */
export function documentEncoding(accept: string | undefined, requested: Requested): Encoding {
  checkRouted(accept, requested);
  const found = plainEncoding(accept);
  if (found === undefined) throw notAcceptable(served);
  return found;
}

/** Returns the format of an error. The default is JSON. */
export function errorEncoding(accept: string | undefined): Encoding {
  return plainEncoding(accept) ?? 'json';
}

function plainEncoding(accept: string | undefined): Encoding | undefined {
  return negotiated(accept, ({ parameters }, encoding) =>
    isPlain(parameters) && isStreamable(parameters, encoding) && !parameters.has('sv') ? encoding : undefined,
  );
}

/** Calls `offer` for each accepted format in the order of preference. Returns the first result that is not undefined. */
function negotiated<T>(
  accept: string | undefined,
  offer: (entry: MediaType, encoding: Encoding) => T | undefined,
): T | undefined {
  for (const entry of mediaTypes(accept)) {
    for (const [encoding, type] of encodings) {
      const offered = accepts(entry.type, type) ? offer(entry, encoding) : undefined;
      if (offered !== undefined) return offered;
    }
  }
  return undefined;
}

function represented(
  { parameters }: MediaType,
  encoding: Encoding,
  { custom, hasTables = true }: Requested,
): Representation | undefined {
  if (!isStreamable(parameters, encoding) || (parameters.get('sv') ?? 'v1') !== 'v1') return undefined;
  if (isPlain(parameters)) {
    return custom && encoding === 'protobuf' ? undefined : { as: 'object', apiVersion: '', encoding };
  }
  const [as, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  const apiVersion = `${group}/${version}`;
  if (as === 'Table') return encoding === 'protobuf' || !hasTables ? undefined : { as, apiVersion, encoding };
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { as, apiVersion, encoding }
    : undefined;
}

/** Returns whether an entry requests objects without conversion: its parameters do not include `as`, `g` or `v`. */
export function isPlain(parameters: MediaType['parameters']): boolean {
  return !parameters.has('as') && !parameters.has('g') && !parameters.has('v');
}

/** Returns whether a format supports the stream that an entry requests, if any. */
function isStreamable(parameters: MediaType['parameters'], encoding: Encoding): boolean {
  const stream = parameters.get('stream');
  return stream === undefined || (stream === 'watch' && encoding !== 'yaml');
}

/** Throws 406 if the path of a built-in resource serves none of the accepted types. */
function checkRouted(accept: string | undefined, { custom, collection }: Requested): void {
  if (!custom) checkServed(accept, served, collection ? [...served, ...watched] : served);
}

/**
 * Throws 406 if a path serves none of the accepted types. The router of a kube-apiserver compares the types before the handlers run. The
 * router supports complete types and the range of all types, but no other ranges, such as all types of `application`.
 * @param listed the types in the message. @default the served types
 */
export function checkServed(
  accept: string | undefined,
  types: readonly string[],
  listed: readonly string[] = types,
): void {
  const accepted = (accept || '*/*').split(',').map((entry) => entry.split(';', 1)[0]?.trim() ?? '');
  if (accepted.some((type) => type === '*/*' || types.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${listed.join(', ')}`;
  throw failure(406, 'NotAcceptable', { message, details: {} });
}

/** Returns the 406 error of a handler that supports only the given types. @default the types of all formats */
export function notAcceptable(available: readonly string[] = served): ApiError {
  return failure(406, 'NotAcceptable', {
    message: `only the following media types are accepted: ${available.join(', ')}`,
  });
}

/**
 * Returns the 406 error for a request for a single object as a list, or for a list as a single object. `type` is the Go type in a
 * kube-apiserver.
 */
export function otherShape(as: string, what: 'is a list' | 'is not a list', type: string): ApiError {
  return failure(406, 'NotAcceptable', {
    message: `you requested ${as}, but the requested object ${what} (${type})`,
  });
}
