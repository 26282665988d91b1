import type { SimulatedPods } from '../../controllers/simulation/simulated-pods.js';
import { loggedRun } from '../../controllers/simulation/container-log.js';
import { containerPlan } from '../../controllers/simulation/container-plan.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { type Answer, type AnswerStream, text } from '../answers/answer.js';
import { isTrue } from '../request-info.js';

/** The container whose log a client reads. */
export interface LogSource {
  readonly pod: ApiObject;
  readonly container: string;
  readonly registry: Registry;
  readonly simulated: SimulatedPods;
}

/** Returns the part of the stated log of a container that the query selects. Throws 400 if the container has not started. */
export function logAnswer(query: URLSearchParams, source: LogSource): Answer {
  const { pod, container } = source;
  const { run, startedAt, isRunning: isOpen } = loggedRun(pod, container, isTrue(query.get('previous')));
  if (!isTrue(query.get('follow')) || !isOpen) {
    return text(limited(selectedLines(logOf(source, run), query, { startedAt, now: nowOf(source) }), query).toString());
  }
  const headers = { 'content-type': 'text/plain' };
  return { kind: 'stream', headers, run: (stream) => follow(stream, source, { run, startedAt, query }) };
}

/**
 * Sends the log and all later additions to the log, until the run ends, the client disconnects, or the response has the maximum length.
 * Only the log at the start is selected by the time and by the number of its lines.
 */
function follow(
  stream: AnswerStream,
  source: LogSource,
  { run, startedAt, query }: { readonly run: number; readonly startedAt: string; readonly query: URLSearchParams },
): void {
  const { registry, simulated, container } = source;
  const { uid } = source.pod.metadata;
  const later = new URLSearchParams(query);
  for (const name of ['sinceSeconds', 'sinceTime', 'tailLines']) later.delete(name);
  let sent = '';
  let selected = query;
  const update = (pod: ApiObject | undefined): void => {
    const next = pod === undefined ? '' : logOf({ ...source, pod }, run);
    if (next.startsWith(sent) && next !== sent) {
      const lines = selectedLines(next.slice(sent.length), selected, { startedAt, now: nowOf(source) });
      const bytes = limited(lines, later);
      stream.write(bytes);
      const limit = later.get('limitBytes');
      if (limit !== null) later.set('limitBytes', String(Number(limit) - bytes.length));
      sent = next;
    }
    selected = later;
    if (pod === undefined || !isRunning(pod, container, run) || later.get('limitBytes') === '0') stream.end();
  };
  const updateNow = (): void => {
    const pod = registry.builtIn('/v1/pods').find(source.pod.metadata);
    update(pod?.metadata.uid === uid ? pod : undefined);
  };
  updateNow();
  const watch = registry.store.watch('/pods', { from: registry.store.resourceVersion }, ({ type, object }) => {
    if (object.metadata.uid === uid) update(type === 'DELETED' ? undefined : object);
  });
  const stopListening = simulated.onChange(updateNow);
  stream.onClose(() => {
    watch.close();
    stopListening();
  });
}

function isRunning(pod: ApiObject, container: string, run: number): boolean {
  try {
    const current = loggedRun(pod, container, false);
    return current.run === run && current.isRunning;
  } catch {
    return false;
  }
}

function logOf({ pod, container, simulated }: LogSource, run: number): string {
  const isInit = objectsAt(pod, 'spec', 'initContainers').some((each) => stringAt(each, 'name') === container);
  return containerPlan(simulated.behaviours(pod, { name: container, isInit }), undefined).log(run);
}

function nowOf({ registry }: LogSource): number {
  return registry.clock.now().getTime();
}

/** Returns the part of a log that the query selects. All lines have the time at which the run started. */
function selectedLines(
  log: string,
  query: URLSearchParams,
  { startedAt, now }: { readonly startedAt: string; readonly now: number },
): string {
  const since = Math.max(
    now - Number(query.get('sinceSeconds') ?? Number.POSITIVE_INFINITY) * 1000,
    query.has('sinceTime') ? Date.parse(query.get('sinceTime') ?? '') : Number.NEGATIVE_INFINITY,
  );
  if (Date.parse(startedAt) < since) return '';
  let lines: readonly string[] = log.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const tail = query.get('tailLines');
  if (tail !== null) lines = Number(tail) === 0 ? [] : lines.slice(-Number(tail));
  const prefix = isTrue(query.get('timestamps')) ? `${startedAt.replace(/Z$/, '')}.000000000Z ` : '';
  return lines.map((line) => `${prefix}${line}`).join('');
}

/** Returns the bytes of a text up to the maximum length that the query requests. */
function limited(content: string, query: URLSearchParams): Buffer {
  const limit = query.get('limitBytes');
  const bytes = Buffer.from(content);
  return limit === null ? bytes : bytes.subarray(0, Number(limit));
}
