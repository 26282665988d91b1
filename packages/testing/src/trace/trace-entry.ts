/** Something that happened in a test environment, without uids, resourceVersions and generated parts of names. */
export type TraceEntry = TracedRequest | TracedWatchFault | TracedChange | TracedReconcile;

interface Traced {
  /** The time of the clock of the environment in milliseconds. Undefined on the system clock. */
  readonly atMs?: number;
}

/** An object. Without a name, all objects of the kind in the namespace. */
interface TracedObject {
  /** The kind, or the plural name of the resource for a read. */
  readonly kind: string;
  /** The subresource. Undefined for the object and its status. */
  readonly subresource?: string;
  readonly namespace?: string;
  /** The name, with '*' instead of the generated part. */
  readonly name?: string;
}

/** A request, in the order in which the server received the requests. */
export interface TracedRequest extends Traced, TracedObject {
  readonly what: 'request';
  /** 'env' for the environment itself, 'manager-1' for its first manager. Undefined for other clients. */
  readonly by?: string;
  /** The reconcile that sent the request, such as 'reconcile machine default/a'. */
  readonly reconcile?: string;
  /** The verb of the request, or 'apply'. */
  readonly verb: string;
  /** The changed fields of a write, such as 'status.phase'. */
  readonly fields: readonly string[];
  /** The injected fault. */
  readonly fault?: object;
}

/** A fault of a watch. */
export interface TracedWatchFault extends Traced {
  readonly what: 'watch-fault';
  /** The plural name of the resource. */
  readonly kind: string;
  readonly fault: object;
}

/** A change of an object on the embedded server, by any client or by the server itself. */
export interface TracedChange extends Traced, TracedObject {
  readonly what: 'change';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The changed fields of a modified object, such as 'status.phase'. */
  readonly fields: readonly string[];
}

/** The start or the end of a reconcile. */
export interface TracedReconcile extends Traced {
  readonly what: 'reconcile';
  readonly controller: string;
  readonly kind: string;
  /** The key of the object, such as 'default/a'. */
  readonly object: string;
  readonly phase: 'started' | 'ended';
  /** Why the reconcile runs, such as 'modified spec.image'. */
  readonly causes: readonly string[];
  /** The result of a reconcile that has ended, such as 'success', 'requeue_after', 'error' or 'conflict'. */
  readonly outcome?: string;
}

/**
 * Returns one line for each entry of a trace, so that traces can be compared as texts.
 *
 * @example
 * traceText(env.trace);
 * // 1000 ms: reconcile machine Machine default/a started: modified spec.image
 * // 1000 ms: request patch Machine/default/a status.phase (manager-1, reconcile machine default/a)
 * // 1000 ms: change MODIFIED Machine/default/a status.phase
 */
export function traceText(trace: readonly TraceEntry[]): string {
  return trace.map((entry) => `${entry.atMs === undefined ? '' : `${entry.atMs} ms: `}${lineOf(entry)}\n`).join('');
}

function lineOf(entry: TraceEntry): string {
  switch (entry.what) {
    case 'request': {
      const { by, reconcile, fault } = entry;
      const senders = [by, reconcile].filter((sender) => sender !== undefined).join(', ');
      const sender = senders === '' ? '' : ` (${senders})`;
      return `request ${entry.verb} ${objectText(entry)}${fieldsText(entry.fields)}${sender}${faultText(fault)}`;
    }
    case 'watch-fault':
      return `watch ${entry.kind}${faultText(entry.fault)}`;
    case 'change':
      return `change ${entry.type} ${objectText(entry)}${fieldsText(entry.fields)}`;
    case 'reconcile': {
      const { controller, kind, object, phase, causes, outcome } = entry;
      const result = phase === 'started' ? `started: ${causes.join('; ')}` : `ended: ${outcome}`;
      return `reconcile ${controller} ${kind} ${object} ${result}`;
    }
  }
}

function objectText({ kind, subresource, namespace, name = '*' }: TracedObject): string {
  const type = subresource === undefined ? kind : `${kind}:${subresource}`;
  return [type, namespace, name].filter((part) => part !== undefined).join('/');
}

function fieldsText(fields: readonly string[]): string {
  return fields.length === 0 ? '' : ` ${fields.join(',')}`;
}

function faultText(fault: object | undefined): string {
  return fault === undefined ? '' : `, fault ${JSON.stringify(fault)}`;
}
