import type { KubeObject } from '@kubewright/api';
import type { SentWrite, Write } from '../../client/write.js';
import { isExplainedBy } from './explained-change.js';

/**
 * The object as a run knows it after a write of its own to it: as the server answered, unless that shows a spec which somebody else
 * had a part in.
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

/** The object of now with the generation that a run knows, for the run has seen no later one; undefined for another of its name. */
export function asKnown(now: KubeObject | undefined, known: KubeObject | undefined): KubeObject | undefined {
  if (now === undefined || known === undefined || now.metadata.uid !== known.metadata.uid) return undefined;
  const { generation } = known.metadata;
  if (generation === undefined || now.metadata.generation === generation) return now;
  return { ...now, metadata: { ...now.metadata, generation } };
}

/** What its generation counts the changes of. */
function specOf({ metadata: _metadata, ...object }: KubeObject): object {
  const { status: _status, ...spec } = object as { readonly status?: unknown };
  return spec;
}
