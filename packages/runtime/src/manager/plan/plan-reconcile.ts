import { kindRefOf } from '@kubewright/api/metadata';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { formatKey } from '../../cache/store/object-key.js';
import { PlanningTransport } from '../../client/plan/planning-transport.js';
import { resourcePath } from '../../transport/request/resource-path.js';
import type { ConnectedBackend } from '../cluster/cluster-backend.js';
import type { ControllerAssembly } from '../controllers/controller-assembly.js';
import type { ManagedControllers } from '../controllers/managed-controllers.js';
import type { ManagerCluster } from '../cluster/manager-cluster.js';
import type { AddedController } from '../components/component.js';
import type { Plan, PlanRequest } from './plan.js';
import { PlannedRun } from './planned-run.js';

/** The components of a manager that a plan uses. */
export interface PlanUsing {
  readonly cluster: ManagerCluster;
  readonly controllers: ManagedControllers;
  readonly assemble: (connected: ConnectedBackend) => Promise<Pick<ControllerAssembly, 'dependenciesOf'>>;
}

/**
 * Plans a single reconcile of an object, and sends only read requests. Lists the kinds that the controller declares, but does not start its
 * sources. Rejects with UNKNOWN_CONTROLLER, ALREADY_STARTED, INVALID_OPTION, NO_SUCH_OBJECT, KIND_NOT_SERVED, and the error of a rejected
 * list.
 */
export async function planReconcile(
  request: PlanRequest,
  { cluster, controllers, assemble }: PlanUsing,
): Promise<Plan> {
  const [controller, added] = chosen(controllers.added, request.controller);
  const planning = cluster.backend.plan();
  planning.meet(controllers.expected.map(({ kind }) => kind));
  try {
    const connected = await cluster.connected();
    const dependencies = (await assemble(connected)).dependenciesOf(added);
    const key = await keyOf(request, connected);
    const { suppose } = request;
    const run = new PlannedRun(added.options, dependencies);
    const outcome = await run.on(key, suppose === undefined ? undefined : () => supposed(suppose, key, connected));
    await cluster.recorders.close();
    const { kindName } = added.options;
    const { writes, events } = planning;
    return { controller, object: `${kindName} ${formatKey(key)}`, writes, events, outcome };
  } finally {
    await cluster.backend.close();
  }
}

/**
 * Returns the requested controller and its name in the manager. `requested` is the name in the manager, or a class name that only one
 * controller has. If `requested` is undefined, returns the only controller. Throws UNKNOWN_CONTROLLER if no controller or several
 * controllers match.
 */
function chosen(
  controllers: ReadonlyMap<string, AddedController>,
  requested: string | undefined,
): readonly [string, AddedController] {
  const all = [...controllers];
  const named = all.filter(([name]) => name === requested);
  const found =
    named.length > 0 ? named : all.filter(([, { target }]) => requested === undefined || target?.name === requested);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = [...controllers.keys()].join(', ');
  const what =
    requested === undefined
      ? 'the manager does not have exactly one controller'
      : `the manager does not have exactly one controller '${requested}'`;
  throw new KubewrightError('UNKNOWN_CONTROLLER', `${what}; specify one of ${names || '(none)'}`);
}

async function keyOf({ key, suppose }: PlanRequest, { discovery }: ConnectedBackend): Promise<ObjectKey> {
  if (suppose === undefined) {
    if (key !== undefined) return key;
    throw new KubewrightError(
      'INVALID_OPTION',
      "cannot plan a reconcile: pass the 'key' of an object, or an object as 'suppose'",
    );
  }
  const { namespaced } = await discovery.resolve(kindRefOf(suppose));
  const { name, namespace = key?.namespace ?? 'default' } = suppose.metadata;
  return namespaced ? { name, namespace } : { name };
}

/** Adds the object to the plan as if it had just been applied. Returns the resulting object. */
async function supposed(object: KubeObject, key: ObjectKey, connected: ConnectedBackend): Promise<KubeObject> {
  const { transport, discovery } = connected;
  if (!(transport instanceof PlanningTransport)) throw new TypeError('the plan does not use a planning transport');
  const path = resourcePath(await discovery.resolve(kindRefOf(object)), key);
  return transport.suppose(path, { ...object, metadata: { ...object.metadata, ...withNamespace(key) } });
}
function withNamespace({ name, namespace }: ObjectKey): { readonly name: string; readonly namespace?: string } {
  return namespace === undefined ? { name } : { name, namespace };
}
