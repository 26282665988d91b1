import type { ApiError } from '@kubewright/api/errors';
import { failure } from '../registry/status-errors.js';

/** In what shape a client wants objects. */
export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The apiVersion of a table or of partial metadata. */
  readonly apiVersion: string;
}

/** What is asked for, as far as it decides what is acceptable. */
export interface Asked {
  /** It is answered by a handler of its own, as custom resources are, and not routed by what it is served as. */
  readonly custom: boolean;
  /** Whether the path can be watched, which more types serve. */
  readonly collection: boolean;
}

/** One entry of an Accept header. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The entries of an Accept header, the most wanted first, to the letter. One that is empty or absent accepts everything. */
export function mediaTypes(accept: string | undefined): readonly MediaType[] {
  const entries = (accept || '*/*')
    .split(',')
    .map(entryOf)
    .filter(({ type }) => type !== '');
  const quality = ({ parameters }: MediaType): number => Number(parameters.get('q') ?? 1);
  return entries.toSorted((a, b) => quality(b) - quality(a));
}

/** A media type with its parameters, in lower case where case does not matter. */
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

/** The entries to which JSON answers, the most wanted first. Throws 406 where there is none. */
export function jsonEntries(accept: string | undefined, asked: Asked): readonly MediaType[] {
  const entries = mediaTypes(accept).filter(({ type }) => {
    // Paths that are routed do not know these shorter forms.
    const short = type === 'application/*' || type === '*';
    return short ? asked.custom : isJson(type);
  });
  if (entries.length === 0) throw notAcceptable(asked.custom ? undefined : asked);
  return entries;
}

/** Whether an entry asks for what is there as it is. */
export function isPlain({ parameters }: MediaType): boolean {
  return !parameters.get('as');
}

/** Throws 406 unless a document is accepted as JSON, and as it is. */
export function checkPlain(accept: string | undefined, asked: Asked): void {
  if (!jsonEntries(accept, asked).some(isPlain)) throw notAcceptable(undefined);
}

/** The first representation that the client accepts and the server has. Throws 406 when there is none. */
export function representation(accept: string | undefined, asked: Asked): Representation {
  for (const entry of jsonEntries(accept, asked)) {
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

/** Whether JSON answers to the type. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

const served = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const watched = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** 406. Where a path has only types that the client does not know, `unrouted` says which path. */
export function notAcceptable(unrouted: Asked | undefined): ApiError {
  if (unrouted === undefined) {
    return failure(406, 'NotAcceptable', {
      message: `only the following media types are accepted: ${served.join(', ')}`,
    });
  }
  const types = unrouted.collection ? [...served, ...watched] : served;
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;
  return failure(406, 'NotAcceptable', { message, details: {} });
}

/** 406: one object was asked for as if it were a list, or the other way round; `type` is that of the server's program. */
export function otherShape(as: string, what: 'is a list' | 'is not a list', type: string): ApiError {
  return failure(406, 'NotAcceptable', {
    message: `you requested ${as}, but the requested object ${what} (${type})`,
  });
}
