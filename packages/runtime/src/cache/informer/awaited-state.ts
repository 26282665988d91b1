import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { maskSecretFields, maskText } from '@kubewright/api/secrets';
import { boundedWait } from '../../waiting/bounded-wait.js';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import type { Change } from '../store/change.js';
import { formatKey } from '../store/object-key.js';
import type { ReadOptions } from '../store/read-options.js';
import type { ReflectorStatus } from '../reflector/reflector-status.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration } from './handlers/change-handler.js';

/**
 * Returns whether a state is the awaited state. The state is undefined if the object does not exist. Before the first list, the function is
 * not called with undefined.
 */
export type StateTest<T> = (now: T | undefined) => boolean;

/** The members of an `InformerHandle` that the wait uses. */
interface Watched<T extends KubeObject> {
  readonly kind: string;
  readonly status: ReflectorStatus;
  get(key: ObjectKey, options?: ReadOptions): T | undefined;
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
}

/**
 * Waits until the object with this key passes the test, and resolves with that state. Tests the current state and every state that the
 * watch delivers, even if the state lasts only briefly. Ignores states that are older than an own write. Rejects with WAIT_TIMEOUT after
 * the timeout, with the error that the test throws, and with the reason of a signal that is aborted.
 */
export function awaitedState<T extends KubeObject>(
  informer: Watched<T>,
  key: ObjectKey,
  using: WaitOptions & {
    readonly isSo: StateTest<T>;
    /** A description of the awaited state for the error message. */
    readonly desired: string;
    readonly clock: Clock;
    readonly ended: AbortSignal;
  },
): Promise<T | undefined> {
  const { isSo, desired, clock, ended, timeout } = using;
  return boundedWait<T | undefined>(using, {
    clock,
    begin: ({ found, failed }) => {
      let isOver = false;
      const evaluate = (now: T | undefined): void => {
        if (isOver) return;
        try {
          if (!isSo(now)) return;
          isOver = true;
          found(now);
        } catch (error) {
          isOver = true;
          failed(error);
        }
      };
      const now = informer.get(key);
      if (now !== undefined || informer.status.synced) evaluate(now);
      if (isOver) return () => undefined;
      const onEnd = (): void => failed(ended.reason);
      ended.addEventListener('abort', onEnd, { once: true });
      if (ended.aborted) onEnd();
      const registration = informer.addHandler(
        {
          onChange: (change) => {
            if (isOf(change, key)) evaluate(stateOf(informer, key, change));
          },
          onSynced: () => evaluate(informer.get(key)),
        },
        { resync: false },
      );
      return () => {
        ended.removeEventListener('abort', onEnd);
        registration.remove();
      };
    },
    tooLate: () => notReached(informer, key, { desired, timeout }),
  });
}

function isOf<T extends KubeObject>({ object: { metadata } }: Change<T>, key: ObjectKey): boolean {
  return metadata.name === key.name && (metadata.namespace === key.namespace || metadata.namespace === undefined);
}

/** Returns the state that a change reports. If an own write is newer, returns the state of the own write. */
function stateOf<T extends KubeObject>(informer: Watched<T>, key: ObjectKey, change: Change<T>): T | undefined {
  const seen = informer.get(key);
  if (seen !== informer.get(key, { ownWrites: false })) return seen;
  return change.type === 'deleted' ? undefined : change.object;
}

function notReached<T extends KubeObject>(
  informer: Watched<T>,
  key: ObjectKey,
  { desired, timeout }: { readonly desired: string; readonly timeout: string | undefined },
): KubewrightError {
  const last = informer.get(key);
  const { synced, problem } = informer.status;
  const why = problem === undefined ? '' : `; ${problem.message}`;
  const state =
    last === undefined
      ? synced
        ? 'the object does not exist'
        : 'the cache has not listed any objects yet'
      : described(last);
  return new KubewrightError(
    'WAIT_TIMEOUT',
    `timed out after ${timeout} waiting for ${informer.kind} ${formatKey(key)} to ${desired}; ${state}${why}`,
  );
}

/** Returns the version and the status for a message, with secret fields masked. Omits all other fields, because they may be secret. */
function described(object: KubeObject): string {
  const { status } = object as { readonly status?: unknown };
  const text =
    status === undefined
      ? 'the object has no status'
      : `its status is ${maskText(JSON.stringify(maskSecretFields(status))).slice(0, 2000)}`;
  return `at resourceVersion ${object.metadata.resourceVersion} ${text}`;
}
