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
  const run = loggedRun(pod, container, isTrue(query.get('previous')));
  const shown = (log: string): string => selectedLines(log, query, { startedAt: run.startedAt, now: nowOf(source) });
  const log = logOf(source, run.run);
  if (!isTrue(query.get('follow')) || !run.isRunning) return text(shown(log));
  return { kind: 'stream', headers: { 'content-type': 'text/plain' }, run: (stream) => follow(stream, source, shown) };
}

/** Sends the log and all later additions to the log, until the run ends or the client disconnects. */
function follow(stream: AnswerStream, source: LogSource, shown: (log: string) => string): void {
  const { registry, simulated, container } = source;
  const { run } = loggedRun(source.pod, container, false);
  let sent = logOf(source, run);
  stream.write(shown(sent));
  const update = (pod: ApiObject | undefined): void => {
    const next = pod === undefined ? '' : logOf({ ...source, pod }, run);
    if (next.startsWith(sent) && next !== sent) {
      stream.write(shown(next.slice(sent.length)));
      sent = next;
    }
    if (pod === undefined || !isRunning(pod, container, run)) stream.end();
  };
  const { uid } = source.pod.metadata;
  const watch = registry.store.watch('/pods', { from: registry.store.resourceVersion }, ({ type, object }) => {
    if (object.metadata.uid === uid) update(type === 'DELETED' ? undefined : object);
  });
  const stopListening = simulated.onChange(() => update(registry.builtIn('/v1/pods').find(source.pod.metadata)));
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
  const selected = lines.map((line) => `${prefix}${line}`).join('');
  const limit = query.get('limitBytes');
  return limit === null ? selected : Buffer.from(selected).subarray(0, Number(limit)).toString();
}
