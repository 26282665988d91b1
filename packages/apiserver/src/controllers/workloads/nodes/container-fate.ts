import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../../registry/objects/json-object.js';

/** The simulated result of a Pod: the Pod keeps running, succeeds or fails. */
export type PodFate =
  | { readonly kind: 'runs' }
  | { readonly kind: 'succeeds' }
  /** The exit codes of the containers by name. */
  | { readonly kind: 'fails'; readonly exitCodes: ReadonlyMap<string, number> };

const runsOn = /(^|\/|\s)(sleep|tail)\s|while|pause/;
const fails = /exit [1-9]|(^|\/)false$/;
const mayFail = /exit [1-9$]|(^|\/)false$/;
const succeeds = /exit 0|(^|\/)true$/;

/**
 * Returns the simulated result of a Pod. The result depends on the commands of the containers, because the server does not start
 * containers. `exit N`, `true` and `false` end a container; `sleep`, `tail`, `pause` and endless loops keep a container running. With any
 * other command, a container of a Job succeeds, and other containers keep running. A Pod with the restart policy Always does not end, and a
 * Pod with the restart policy OnFailure does not fail.
 */
export function fateOf(pod: ApiObject): PodFate {
  const policy = stringAt(pod, 'spec', 'restartPolicy');
  if (policy !== 'Never' && policy !== 'OnFailure') return { kind: 'runs' };
  const containers = objectsAt(pod, 'spec', 'containers');
  const ofJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true;
  const ends = new Set(containers.map((container) => endOf(container, ofJob)));
  if (ends.size === 1 && ends.has('succeeds')) return { kind: 'succeeds' };
  if (policy !== 'Never' || !containers.some((container) => fails.test(commandOf(container)))) return { kind: 'runs' };
  return {
    kind: 'fails',
    exitCodes: new Map(containers.map((container) => [stringAt(container, 'name'), exitCode(container)])),
  };
}

/** Returns the exit code of a container of a Pod with this fate, or undefined if the container keeps running. */
export function defaultExitCode(fate: PodFate, container: string): number | undefined {
  if (fate.kind === 'runs') return undefined;
  return fate.kind === 'succeeds' ? 0 : (fate.exitCodes.get(container) ?? 1);
}

function endOf(container: JsonDraft, ofJob: boolean): 'fails' | 'runs' | 'succeeds' {
  const command = commandOf(container);
  if (runsOn.test(command) || stringAt(container, 'image').includes('pause')) return 'runs';
  if (mayFail.test(command)) return 'fails';
  return succeeds.test(command) || ofJob ? 'succeeds' : 'runs';
}

function commandOf(container: JsonDraft): string {
  const parts = [container['command'], container['args']].flatMap((part) => (Array.isArray(part) ? part : []));
  return parts.join(' ');
}

function exitCode(container: JsonDraft): number {
  return Number(/exit ([1-9][0-9]*)/.exec(commandOf(container))?.[1] ?? 1);
}
