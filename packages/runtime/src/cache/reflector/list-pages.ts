import type { KubeObject } from '@kubewright/api';
import { isExpired, KubewrightError } from '@kubewright/api/errors';
import { InvalidJsonError } from '@kubewright/api/json';
import { invalidResponse, listAnswerOf } from '../../transport/answer/list-answer.js';
import { PARTIAL_LIST } from '../../transport/answer/partial-metadata.js';
import {
  isMalformedProtobuf,
  isProtobufType,
  isUnsupportedProtobuf,
  protobufOr,
} from '../../transport/answer/protobuf-kind.js';
import type { ProtobufReader } from '../../transport/answer/protobuf-reader.js';
import type { ByteStream } from '../../transport/request/request-options.js';
import { ListFrames, type ListItem } from './list-frames.js';
import type { ObjectSource } from './object-source.js';
import { Slices } from '../../waiting/slices.js';

export interface ListRequest {
  /** The version of the list: empty for the newest version, '0' for any version, otherwise the minimum version. */
  readonly resourceVersion: string;
  /** The number of objects per page. Undefined requests all objects in one page. */
  readonly limit?: number | undefined;
  /** Whether the list must have exactly `resourceVersion`, which must then be set. @default false */
  readonly isExact?: boolean;
  readonly signal: AbortSignal;
}

/** A page of a list, or a complete list. */
export interface ListPage<T> {
  readonly objects: readonly T[];
  readonly resourceVersion: string;
  /** The continue token of the next page. Empty on the last page. */
  readonly continueToken: string;
}

/** All objects of a list. */
export interface Listed<T> {
  readonly objects: readonly T[];
  readonly resourceVersion: string;
  /** Whether the list had more than one page. */
  readonly isPaginated: boolean;
}

/** Iterates over the pages of a list. Requests each page when the caller iterates to it. Throws the error of a failed page. */
export async function* listPages<T extends KubeObject>(
  source: ObjectSource<T>,
  request: ListRequest,
): AsyncGenerator<ListPage<T>> {
  let page = await readPage(source, request, undefined);
  yield page;
  while (page.continueToken !== '') {
    page = await readPage(source, request, page.continueToken);
    yield page;
  }
}

/**
 * Returns all objects of a list, with the version of the first page. If a later page has expired, lists all objects again in one page, at
 * the originally requested version.
 */
export async function listAll<T extends KubeObject>(source: ObjectSource<T>, request: ListRequest): Promise<Listed<T>> {
  const pages: ListPage<T>[] = [];
  try {
    for await (const page of listPages(source, request)) pages.push(page);
  } catch (error) {
    if (pages.length === 0 || !isExpired(error)) throw error;
    return listAll(source, { ...request, limit: undefined });
  }
  const [first] = pages;
  return {
    objects: pages.length === 1 && first ? first.objects : pages.flatMap((page) => page.objects),
    resourceVersion: first?.resourceVersion ?? '',
    isPaginated: pages.length > 1,
  };
}

async function readPage<T extends KubeObject>(
  source: ObjectSource<T>,
  request: ListRequest,
  from: string | undefined,
): Promise<ListPage<T>> {
  const attempted = `list ${source.name}`;
  const reader = await source.protobuf?.reader();
  const json = source.metadataOnly ? PARTIAL_LIST : undefined;
  const stream = await source.transport.stream({
    path: source.path,
    query: {
      labelSelector: source.labelSelector,
      fieldSelector: source.fieldSelector,
      limit: request.limit,
      continue: from,
      // The server rejects a version together with a continue token, because the token already determines the version.
      resourceVersion: from === undefined && request.resourceVersion !== '' ? request.resourceVersion : undefined,
      resourceVersionMatch: from === undefined && request.isExact ? 'Exact' : undefined,
    },
    accept: reader === undefined ? json : protobufOr(json),
    decode: reader?.decode,
    signal: request.signal,
    attempted,
  });
  try {
    return await pageOf(source, stream, { attempted, reader: isProtobufType(stream.contentType) ? reader : undefined });
  } catch (error) {
    request.signal.throwIfAborted();
    if (isUnsupportedProtobuf(error)) {
      source.protobuf?.turnOff(error);
      return await readPage(source, request, from);
    }
    throw pageError(error, attempted);
  } finally {
    stream.close();
  }
}

async function pageOf<T extends KubeObject>(
  source: ObjectSource<T>,
  stream: ByteStream,
  { attempted, reader }: { readonly attempted: string; readonly reader: ProtobufReader | undefined },
): Promise<ListPage<T>> {
  const frames = reader?.listFrames(attempted) ?? new ListFrames({ attempted, reader: source.itemReader });
  const objects: T[] = [];
  const slices = new Slices();
  let count = 0;
  const read = async (items: readonly ListItem[]): Promise<void> => {
    for (const item of items) {
      if (slices.isOver) await slices.next();
      const isRead = !Buffer.isBuffer(item);
      if (!isRead && source.dropped(item) !== undefined) continue;
      count++;
      const object = isRead
        ? source.accept(item.value, item.parsedBytes)
        : source.accept(source.parser.parseObject(item), source.parser.parsedBytes);
      if (object !== undefined) objects.push(object);
    }
  };
  for await (const chunk of stream) await read(frames.push(chunk));
  await read(frames.end());
  const { resource, metadataOnly } = source;
  const answer = listAnswerOf(frames.envelope(), { resource, metadataOnly, attempted });
  if (!answer.isExpectedKind && count > 0 && objects.length === 0) {
    throw invalidResponse(attempted, `the server returned a list without any ${resource.kind}`);
  }
  return { objects, resourceVersion: answer.resourceVersion, continueToken: answer.continueToken };
}

/**
 * Converts the error of a page: to INVALID_RESPONSE if the bytes are not a valid list, otherwise to REQUEST_FAILED. Does not convert a
 * `KubewrightError`.
 */
function pageError(error: unknown, attempted: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof InvalidJsonError || isMalformedProtobuf(error)) return invalidResponse(attempted, error.message);
  if (error instanceof KubewrightError) return error;
  return new KubewrightError('REQUEST_FAILED', `${attempted}: ${error.message}`, { cause: error });
}
