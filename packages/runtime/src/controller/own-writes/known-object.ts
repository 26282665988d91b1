import type { KubeObject } from '@kubewright/api';
import type { SentWrite, Write } from '../../client/scope/write.js';
import { isExplainedBy } from './explained-change.js';

/**
 * Returns the object as a run knows it after its own write: the response of the server, unless another writer contributed to the spec in
 * the response.
 */
export function knownAfter(
  known: KubeObject | undefined,
  { verb, object }: Write,
  sent: SentWrite | undefined,
): KubeObject | undefined {
  if (verb === 'delete') return known;
  const before = sent?.before ?? known;
  const isOwn = before !== undefined && isExplainedBy(sent?.body, specOf(before), specOf(object));
  return isOwn ? object : known;
}

/**
 * Returns the current object with the generation that the run knows, because the run did not see a later generation. Returns undefined if
 * either object is missing, or if the current object has another uid.
 */
export function asKnown(now: KubeObject | undefined, known: KubeObject | undefined): KubeObject | undefined {
  if (now === undefined || known === undefined || now.metadata.uid !== known.metadata.uid) return undefined;
  const { generation } = known.metadata;
  if (generation === undefined || now.metadata.generation === generation) return now;
  return { ...now, metadata: { ...now.metadata, generation } };
}

/** Returns the fields whose changes increment the generation. */
function specOf({ metadata: _metadata, ...object }: KubeObject): object {
  const { status: _status, ...spec } = object as { readonly status?: unknown };
  return spec;
}
