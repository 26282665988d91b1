import type { ApiError } from '@kubewright/api/errors';
import { failure } from '../../registry/requests/status-errors.js';

/** The representation of objects that a client requests. */
export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The apiVersion of a table or of partial metadata. */
  readonly apiVersion: string;
}

/** The properties of the requested path that determine the acceptable types. */
export interface Requested {
  /**
   * Whether the path belongs to a custom resource. A kube-apiserver serves custom resources with a separate handler, which accepts other
   * types.
   */
  readonly custom: boolean;
  /** Whether the path supports watches. The message of the 406 error then also lists the media types of watches. */
  readonly collection: boolean;
}

/** One entry of an Accept header. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the entries of an Accept header, sorted by quality, without normalization. An empty or absent header accepts all types. */
export function mediaTypes(accept: string | undefined): readonly MediaType[] {
  const entries = (accept || '*/*')
    .split(',')
    .map(entryOf)
    .filter(({ type }) => type !== '');
  const quality = ({ parameters }: MediaType): number => Number(parameters.get('q') ?? 1);
  return entries.toSorted((a, b) => quality(b) - quality(a));
}

/** Returns a media type with its parameters. The type and the names of parameters are in lower case. */
export function mediaType(text: string): MediaType {
  const { type, parameters } = entryOf(text);
  const plain = [...parameters].map(([name, value]) => [name.toLowerCase(), value.replace(/^"|"$/g, '')] as const);
  return { type: type.toLowerCase(), parameters: new Map(plain) };
}

function entryOf(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = rest.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=');
    return [name.trim(), value.trim()];
  });
  return { type, parameters: new Map(parameters) };
}

/** Returns the entries that JSON satisfies, sorted by quality. Throws 406 if there are none. */
export function jsonEntries(accept: string | undefined, requested: Requested): readonly MediaType[] {
  const entries = mediaTypes(accept).filter(({ type }) => {
    // Built-in resources do not support these shorter forms.
    const short = type === 'application/*' || type === '*';
    return short ? requested.custom : isJson(type);
  });
  if (entries.length === 0) throw notAcceptable(requested.custom ? undefined : requested);
  return entries;
}

/** Returns whether an entry requests an object without conversion. */
export function isPlain({ parameters }: MediaType): boolean {
  return !parameters.get('as');
}

/** Throws 406 if the client does not accept a document as unconverted JSON. */
export function checkPlain(accept: string | undefined, requested: Requested): void {
  if (!jsonEntries(accept, requested).some(isPlain)) throw notAcceptable(undefined);
}

/** Returns the first representation that the client accepts and the server supports. Throws 406 if there is none. */
export function representation(accept: string | undefined, requested: Requested): Representation {
  for (const entry of jsonEntries(accept, requested)) {
    if (isPlain(entry)) return { as: 'object', apiVersion: '' };
    const { parameters } = entry;
    const as = parameters.get('as');
    const version = parameters.get('v');
    if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) continue;
    const apiVersion = `meta.k8s.io/${version}`;
    if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
      return { as, apiVersion };
    }
  }
  throw notAcceptable(undefined);
}

/** Returns whether JSON satisfies the type. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

const served = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const watched = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/**
 * Returns the 406 error. `unrouted` is the requested path if the path does not serve any of the accepted types. The message then lists the
 * types of this path.
 */
export function notAcceptable(unrouted: Requested | undefined): ApiError {
  if (unrouted === undefined) {
    return failure(406, 'NotAcceptable', {
      message: `only the following media types are accepted: ${served.join(', ')}`,
    });
  }
  const types = unrouted.collection ? [...served, ...watched] : served;
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;
  return failure(406, 'NotAcceptable', { message, details: {} });
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
