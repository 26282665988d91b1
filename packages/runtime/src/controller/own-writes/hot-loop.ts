import type { KubeObject } from '@kubewright/api';
import { formatPath } from '../watches/changed-paths.js';
import { latestManager, managersOf } from './field-managers.js';
import type { WrittenField } from './written-fields.js';

/**
 * The type of a hot loop:
 *
 * - 'undone': the controller writes the same value repeatedly, because another writer reverts it.
 * - 'notKept': the server does not store the written value.
 * - 'remade': the controller deletes and recreates an object repeatedly.
 * - 'selfMade': a write of the controller triggers the reconcile that writes the next value.
 * - 'requested': each run requests the next run within a second, and each run writes a different value.
 */
export type HotLoopKind = 'undone' | 'notKept' | 'remade' | 'selfMade' | 'requested';

/** A hot loop on an object: the object is written repeatedly without lasting effect. */
export interface HotLoop {
  readonly kind: HotLoopKind;
  /** The fields that are written repeatedly. All fields belong to the same object. */
  readonly fields: readonly WrittenField[];
}

/** The description of a hot loop for the log and the event. */
export interface HotLoopReport {
  /** The kind and key, such as 'Deployment default/web'. */
  readonly object: string;
  /** The paths of the fields, such as 'spec.replicas'. Empty if the controller recreates the whole object. */
  readonly fields: readonly string[];
  /** The field managers of the other writers. Empty if no other writer is known. */
  readonly others: readonly string[];
  readonly message: string;
}

/** Returns the description of a loop. `live` is the object with its managed fields; undefined if the object could not be read. */
export function reportOf(loop: HotLoop, live: KubeObject | undefined, controller: string): HotLoopReport {
  const fields = loop.fields.map(({ path }) => formatPath(path)).filter((path) => path !== '');
  const object = loop.fields[0]?.name ?? '';
  const others = live === undefined ? [] : othersOf(loop, live, controller);
  const what = fields.length === 0 ? `${object} is created` : `${fields.join(', ')} of ${object} is written`;
  return { object, fields, others, message: `${what} repeatedly: ${remedyOf(loop.kind, others, controller)}` };
}

function othersOf({ kind, fields }: HotLoop, live: KubeObject, controller: string): readonly string[] {
  if (kind === 'notKept' || kind === 'remade') return [];
  const owners = [...new Set(fields.flatMap(({ path }) => managersOf(live, path)))];
  const others = owners.filter((manager) => manager !== controller);
  if (others.length > 0 || kind !== 'undone') return others;
  return [latestManager(live, controller) ?? []].flat();
}

function remedyOf(kind: HotLoopKind, others: readonly string[], controller: string): string {
  const named = others.map((other) => `'${other}'`).join(' and ');
  if (kind === 'notKept') {
    return `the server does not keep what '${controller}' writes, because of a default, an admission webhook or value normalization; write the value that the server stores, or omit the field`;
  }
  if (kind === 'remade') {
    return `'${controller}' deletes and recreates it; compare only the fields that you set, because the server adds defaults`;
  }
  if (kind === 'undone') {
    return others.length === 0
      ? `another writer reverts the writes of '${controller}'; let only one of them own the fields`
      : `${named} and '${controller}' both write it; let one of them own it, and omit it from the requests of the other`;
  }
  if (kind === 'requested') {
    return `'${controller}' requests the next run within a second and writes a different value each time; write only real differences, no timestamps or counters, or requeue later`;
  }
  const between = others.length === 0 ? '' : ` (${named} also writes it)`;
  return `a write of '${controller}' triggers the next reconcile, which writes a different value${between}; write only real differences, no timestamps or counters`;
}
