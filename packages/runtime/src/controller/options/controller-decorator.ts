import type { KubeObject } from '@kubewright/api';
import { type AnyClass, ClassMetadata } from '../../metadata/class-metadata.js';
import type { ControllerOptions } from './controller-options.js';
import type { KeyControllerOptions, KeyReconciler } from './key-controller.js';
import type { Reconciler } from '../reconciler/reconciler.js';

const controllers = new ClassMetadata<ControllerOptions<KubeObject>>('controller');

/**
 * Declares a class as the controller of a kind. The class must implement `Reconciler` for that kind.
 *
 * @example
 * @Controller({ for: Machine, owns: [Pod], concurrency: 4 })
 * class MachineController implements Reconciler<Machine> {
 *   constructor(private readonly client: Client) {}
 *   async reconcile(machine: Machine): Promise<Result> {
 *     await this.client.applyOwned(machine, [podFor(machine)]);
 *     return Result.done();
 *   }
 * }
 */
export function Controller<T extends KubeObject>(
  options: ControllerOptions<T>,
): (target: new (...services: never[]) => Reconciler<T>) => void {
  return (target) => controllers.set(target, options as unknown as ControllerOptions<KubeObject>);
}

/**
 * Declares a class as a controller that reconciles keys instead of the objects of a kind. Its sources and watches provide the keys.
 *
 * @example
 * @KeyController({ sources: [sourceOf('directory', directory.changes())], watches: [watch(Namespace, { map: tenantOf })] })
 * class TenantController implements KeyReconciler {
 *   async reconcile({ name }: ObjectKey): Promise<Result> { … }
 * }
 */
export function KeyController(
  options: KeyControllerOptions,
): (target: new (...services: never[]) => KeyReconciler) => void {
  return (target) => controllers.set(target, options as unknown as ControllerOptions<KubeObject>);
}

/** Returns the options that `@Controller` or `@KeyController` stored on a class. Returns undefined for any other class. */
export function controllerOptionsOf(target: AnyClass): ControllerOptions<KubeObject> | undefined {
  return controllers.get(target);
}
