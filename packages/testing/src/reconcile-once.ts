import { AccessRecord, type Client, type ReconcileContext, type Reconciler, type Result } from '@kubewright/runtime';
import {
  controllerOptionsOf,
  ownedKinds,
  resolveControllerOptions,
  runInScope,
  type Write,
} from '@kubewright/runtime/internal';
import type { KindRef, KubeObject } from '@kubewright/api';
import type { ObservedEvents, RecordedEvent } from './observed-events.js';
import { reconcileContext } from './reconcile-context.js';
import type { Reconciled } from './reconciled.js';

/** What a reconciler is run with. */
export interface Bench {
  /** Live reads, all rights. */
  readonly client: Client;
  readonly events: ObservedEvents;
}
/** What it is run on. */
export interface Given<T extends KubeObject> {
  readonly object: T;
  readonly kind: KindRef<T>;
}

interface Identity {
  readonly controller: string;
  readonly owns: readonly KindRef[];
  readonly finalizer: string | undefined;
}

/**
 * Runs the reconciler once on the newest state of the object. One with `finalize` gets its finalizer before; an object that is being
 * deleted goes to `finalize`, and loses the finalizer when that is done. Those writes are the controller's and not in the report.
 */
export async function reconcileOnce<T extends KubeObject>(
  reconciler: Reconciler<T>,
  given: Given<T>,
  bench: Bench,
): Promise<Reconciled<T>> {
  const { client, events } = bench;
  const { kind } = given;
  const identity = identityOf(reconciler, kind);
  const object = await withFinalizer(await client.live.get(kind, given.object.metadata), identity.finalizer, client);
  const writes: Write[] = [];
  const recorded: RecordedEvent[] = [];
  const access = new AccessRecord();
  const context = reconcileContext();
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const run = (): Promise<Result | undefined> =>
    isDeleted ? finalize(reconciler, object, context) : reconciler.reconcile(object, context);
  const scope = {
    controller: identity.controller,
    owns: identity.owns,
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
  if (isDeleted && result?.kind === 'done' && identity.finalizer) await release(object, identity.finalizer, client);
  const after = await client.live.find(kind, object.metadata);
  return { result, error, writes, events: recorded, access, object: after ?? object };
}

async function finalize<T extends KubeObject>(
  reconciler: Reconciler<T>,
  object: T,
  context: ReconcileContext,
): Promise<Result | undefined> {
  return reconciler.finalize?.(object, context);
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
    finalizer: reconciler.finalize === undefined ? undefined : options.finalizer,
  };
}

async function withFinalizer<T extends KubeObject>(
  object: T,
  finalizer: string | undefined,
  client: Client,
): Promise<T> {
  if (finalizer === undefined || object.metadata.deletionTimestamp !== undefined) return object;
  return client.patch<KubeObject>(object, ({ metadata }) => {
    if (!metadata.finalizers.includes(finalizer)) metadata.finalizers.push(finalizer);
  }) as Promise<T>;
}

async function release(object: KubeObject, finalizer: string, client: Client): Promise<void> {
  await client.patch(object, ({ metadata }) => {
    metadata.finalizers = metadata.finalizers.filter((one) => one !== finalizer);
  });
}
