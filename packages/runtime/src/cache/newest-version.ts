import type { KubeObject } from '@kubewright/api';
import { listAnswerOf } from '../transport/list-answer.js';
import { PARTIAL_LIST } from '../transport/partial-metadata.js';
import type { ObjectSource } from './object-source.js';

/**
 * Resolves with the newest resourceVersion that the API server has for a collection; empty if the server does not version it. Requests
 * the metadata of one object at most. The label selector is left out, because with one, the server may have to read every object.
 */
export async function newestVersion<T extends KubeObject>(
  source: ObjectSource<T>,
  signal: AbortSignal,
): Promise<string> {
  const { resource, fieldSelector } = source;
  const attempted = `list ${source.name} for its version`;
  // A role that allows the objects of some names allows only lists that select one of them.
  const namesOne = fieldSelector?.startsWith('metadata.name=');
  const answer = await source.transport.request<unknown>({
    method: 'GET',
    path: source.path,
    query: { limit: 1, fieldSelector: namesOne ? fieldSelector : undefined },
    accept: PARTIAL_LIST,
    signal,
    attempted,
  });
  return listAnswerOf(answer, { resource, metadataOnly: true, attempted }).resourceVersion;
}
