import { ApiError } from '@kubewright/api/errors';

/** In what shape a client wants objects. */
export interface Representation {
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata';
  /** The apiVersion of a table or of partial metadata. */
  readonly apiVersion: string;
  /** Whether partial metadata is asked for as a list. */
  readonly list?: boolean;
}

/** One entry of an Accept header. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The entries of an Accept header, the most wanted first. An absent header accepts everything. */
export function mediaTypes(accept: string | undefined): readonly MediaType[] {
  const entries = (accept ?? '*/*')
    .split(',')
    .map(mediaType)
    .filter(({ type }) => type !== '');
  const quality = ({ parameters }: MediaType): number => Number(parameters.get('q') ?? 1);
  return entries.toSorted((a, b) => quality(b) - quality(a));
}

/** A media type with its parameters, in lower case where case does not matter. */
export function mediaType(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = rest.map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=');
    return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')];
  });
  return { type: type.toLowerCase(), parameters: new Map(parameters) };
}

/** The first representation that the client accepts and the server has. Throws 406 when there is none. */
export function representation(accept: string | undefined): Representation {
  for (const { type, parameters } of mediaTypes(accept)) {
    if (!isJson(type)) continue;
    const as = parameters.get('as');
    if (as === undefined) return { as: 'object', apiVersion: '' };
    const version = parameters.get('v') ?? 'v1';
    if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) continue;
    const apiVersion = `meta.k8s.io/${version}`;
    if (as === 'Table') return { as: 'Table', apiVersion };
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') {
      return { as: 'PartialObjectMetadata', apiVersion, list: as === 'PartialObjectMetadataList' };
    }
  }
  throw notAcceptable();
}

/** Whether JSON answers to the type. */
export function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}

function notAcceptable(): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    reason: 'NotAcceptable',
    code: 406,
  });
}
