import {
  AccessRecord,
  type Client,
  type FinalizerStep,
  type Index,
  type Reconciler,
  type Result,
} from '@kubewright/runtime';
import {
  checkedResult,
  controllerOptionsOf,
  finalizerSteps,
  optionalKinds,
  ownedKinds,
  resolveControllerOptions,
  runFinalizers,
  runInScope,
  type Write,
} from '@kubewright/runtime/internal';
import type { Clock } from '@kubewright/api/clock';
import { addFinalizer, type KindRef, type KubeObject, removeFinalizer } from '@kubewright/api';
import type { ObservedEvents, RecordedEvent } from './observed-events.js';
import { reconcileContext } from './reconcile-context.js';
import type { Reconciled } from './reconciled.js';

/** The client, event recorder and clock for a reconcile. */
export interface Bench {
  /** A client with live reads and all permissions. */
  readonly client: Client;
  readonly events: ObservedEvents;
  readonly clock: Clock;
}
/** The object to reconcile, and its kind. */
export interface Given<T extends KubeObject> {
  readonly object: T;
  readonly kind: KindRef<T>;
}

interface Identity {
  readonly controller: string;
  readonly owns: readonly KindRef[];
  readonly optional: readonly KindRef[];
  readonly indexes: readonly Index<KubeObject>[];
  readonly finalizers: readonly FinalizerStep[];
}

/**
 * Runs the reconciler once on the current state of the object. If the reconciler has `finalize` or `finalizers`, first adds the finalizers
 * to the object. For an object that is being deleted, runs the finalizers and removes each completed finalizer. The report does not contain
 * these writes.
 */
export async function reconcileOnce<T extends KubeObject>(
  reconciler: Reconciler<T>,
  given: Given<T>,
  bench: Bench,
): Promise<Reconciled<T>> {
  const { client, events, clock } = bench;
  const { kind } = given;
  const identity = identityOf(reconciler, kind);
  const object = await withFinalizers(await client.live.get(kind, given.object.metadata), identity.finalizers, client);
  const writes: Write[] = [];
  const recorded: RecordedEvent[] = [];
  const access = new AccessRecord();
  const context = reconcileContext();
  let released: readonly string[] = [];
  const run = async (): Promise<Result> => {
    if (object.metadata.deletionTimestamp === undefined) {
      return checkedResult(
        await reconciler.reconcile(object, context),
        `reconcile of controller '${identity.controller}'`,
      );
    }
    const { done, result, failure } = await runFinalizers(identity.finalizers, { object, context, now: clock.now() });
    released = done;
    if (failure !== undefined) throw failure.error;
    return result;
  };
  const scope = {
    controller: identity.controller,
    owns: identity.owns,
    dormant: await notServed(identity.optional, client),
    indexes: identity.indexes,
    signal: context.signal,
    onWrite: (write: Write) => writes.push(write),
    records: [access],
  };
  let result: Result | undefined;
  let error: unknown;
  try {
    result = await events.during(recorded, () => runInScope(scope, run));
  } catch (thrown) {
    error = thrown;
  }
  if (released.length > 0) await release(object, released, client);
  const after = await client.live.find(kind, object.metadata);
  return { result, error, writes, events: recorded, access, object: after ?? object };
}

function identityOf<T extends KubeObject>(reconciler: Reconciler<T>, kind: KindRef<T>): Identity {
  const constructor = reconciler.constructor as new (...services: never[]) => object;
  const declared = controllerOptionsOf(constructor);
  const options = resolveControllerOptions(
    declared ?? { for: kind },
    declared === undefined ? undefined : constructor.name,
  );
  return {
    controller: options.name,
    owns: ownedKinds(options),
    optional: optionalKinds(options),
    indexes: options.indexes,
    finalizers: finalizerSteps(reconciler, options),
  };
}

async function notServed(kinds: readonly KindRef[], client: Client): Promise<readonly KindRef[]> {
  const served = await Promise.all(kinds.map((kind) => client.isServed(kind)));
  return kinds.filter((_, at) => !served[at]);
}

async function withFinalizers<T extends KubeObject>(
  object: T,
  finalizers: readonly FinalizerStep[],
  client: Client,
): Promise<T> {
  if (object.metadata.deletionTimestamp !== undefined) return object;
  return client.patch<KubeObject>(object, (draft) => {
    for (const { name } of finalizers) addFinalizer(draft, name);
  }) as Promise<T>;
}

async function release(object: KubeObject, finalizers: readonly string[], client: Client): Promise<void> {
  await client.patch(object, (draft) => {
    for (const name of finalizers) removeFinalizer(draft, name);
  });
}
