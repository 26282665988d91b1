import type { KubeObject } from '@kubewright/api';
import { formatPath } from '../changed-paths.js';
import { latestManager, managersOf } from './field-managers.js';
import type { WrittenField } from './written-fields.js';

/**
 * How an object is written again and again: the same is written and somebody undoes it ('undone'), the server itself does not keep it
 * ('notKept'), it is deleted and made by the controller itself ('remade'), each write brings the object back for another one
 * ('selfMade'), or the controller requests the next run within a second and writes something else then ('requested').
 */
export type HotLoopKind = 'undone' | 'notKept' | 'remade' | 'selfMade' | 'requested';

/** An object that is written again and again. */
export interface HotLoop {
  readonly kind: HotLoopKind;
  /** The first fields of those that flap; all of one object. */
  readonly fields: readonly WrittenField[];
}

/** A loop in the words of people. */
export interface HotLoopReport {
  /** 'Deployment default/web'. */
  readonly object: string;
  /** 'spec.replicas'; empty where the object itself is made again and again. */
  readonly fields: readonly string[];
  /** The other field managers; empty where none could be found. */
  readonly others: readonly string[];
  readonly message: string;
}

/** Tells of a loop, with what the server says of the writers of the object; undefined where that could not be read. */
export function reportOf(loop: HotLoop, live: KubeObject | undefined, controller: string): HotLoopReport {
  const fields = loop.fields.map(({ path }) => formatPath(path)).filter((path) => path !== '');
  const object = loop.fields[0]?.name ?? '';
  const others = live === undefined ? [] : othersOf(loop, live, controller);
  const what = fields.length === 0 ? `${object} is made` : `${fields.join(', ')} of ${object} is written`;
  return { object, fields, others, message: `${what} again and again: ${cureOf(loop.kind, others, controller)}` };
}

function othersOf({ kind, fields }: HotLoop, live: KubeObject, controller: string): readonly string[] {
  if (kind === 'notKept' || kind === 'remade') return [];
  const owners = [...new Set(fields.flatMap(({ path }) => managersOf(live, path)))];
  const others = owners.filter((manager) => manager !== controller);
  if (others.length > 0 || kind !== 'undone') return others;
  return [latestManager(live, controller) ?? []].flat();
}

function cureOf(kind: HotLoopKind, others: readonly string[], controller: string): string {
  const named = others.map((other) => `'${other}'`).join(' and ');
  if (kind === 'notKept') {
    return `the server does not keep what '${controller}' writes, because of a default, an admission webhook or the way it spells values; write what it makes of it, or leave the field out`;
  }
  if (kind === 'remade') {
    return `'${controller}' deletes it and makes it anew; compare only what was asked for, since the server fills in defaults`;
  }
  if (kind === 'undone') {
    return others.length === 0
      ? `somebody undoes what '${controller}' writes; let one of the two own it`
      : `${named} and '${controller}' both write it; let one of them own it, and leave it out of what the other writes`;
  }
  if (kind === 'requested') {
    return `'${controller}' requests the next run within a second and writes another value each time; write only what differs, and no times or counters, or requeue later`;
  }
  const between = others.length === 0 ? '' : ` (${named} writes it too)`;
  return `what '${controller}' writes brings the object back, and it writes something else then${between}; write only what differs, and no times or counters`;
}
