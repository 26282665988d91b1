import type { KubeObject } from '@kubewright/api';
import type { SentWrite, Write } from '../../client/scope/write.js';
import { isSpecExplainedBy } from './explained-change.js';

/**
 * Returns the latest state of the object that a run knows after its own write: usually the response of the server. After a delete, returns
 * the previous state. Also returns the previous state if the response may contain a change of the spec by another writer, because the run
 * has not read that change.
 */
export function knownAfter(
  known: KubeObject | undefined,
  { verb, object }: Write,
  sent: SentWrite | undefined,
): KubeObject | undefined {
  if (verb === 'delete') return known;
  // The controller reports only the generation of this state, and every change of the spec increments the generation.
  if (known !== undefined && hasSameGeneration(known, object)) return object;
  const before = sent?.before ?? known;
  const isOwn = before !== undefined && isSpecExplainedBy(sent?.body, before, object);
  return isOwn ? object : known;
}

/**
 * Returns the current object, but with the generation of the known object. The run must not report a later generation as observed. Returns
 * undefined if either object is missing, or if the uids differ.
 */
export function asKnown(now: KubeObject | undefined, known: KubeObject | undefined): KubeObject | undefined {
  if (now === undefined || known === undefined || now.metadata.uid !== known.metadata.uid) return undefined;
  const { generation } = known.metadata;
  if (generation === undefined || now.metadata.generation === generation) return now;
  return { ...now, metadata: { ...now.metadata, generation } };
}

function hasSameGeneration({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.generation !== undefined && a.generation === b.generation;
}
