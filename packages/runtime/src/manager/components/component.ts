import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { AnyClass } from '../../metadata/class-metadata.js';
import { controllerOptionsOf } from '../../controller/options/controller-decorator.js';
import type { ControllerOptions } from '../../controller/options/controller-options.js';
import type { KeyControllerOptions, KeyReconciler } from '../../controller/options/key-controller.js';
import type { Reconciler } from '../../controller/reconciler/reconciler.js';
import type { ReconcileContext } from '../../controller/reconciler/reconcile-context.js';
import {
  controllerName,
  type ResolvedControllerOptions,
  resolveControllerOptions,
} from '../../controller/options/resolved-options.js';
import type { Result } from '../../controller/reconciler/result.js';
import type { DescribedPolicy } from '../../rbac/described-policies.js';
import type { ServedEndpoint } from '../../serving/served-endpoint.js';
import type { Cluster } from '../cluster/cluster.js';
import { servicesOf } from '../injection/constructor-services.js';
import type { Constructor } from '../injection/service-container.js';
import { type AddedWebhook, decoratedWebhook, type WebhookComponent } from './added-webhook.js';
import { type AddedPolicy, decoratedPolicy, type PolicyComponent } from './added-policy.js';
import type { Runnable } from './runnable.js';

/**
 * A component that can be added to a manager: a reconciler, a webhook, a policy, a runnable, another cluster, or an endpoint. A class with
 * `@Policy` does not need methods.
 */
export type Component =
  | WebhookComponent
  | PolicyComponent
  | { reconcile(object: never, context: ReconcileContext): Promise<Result> }
  | Runnable
  | Cluster
  | ServedEndpoint;

/** A controller that was added to a manager: its options and its reconciler. */
export interface AddedController {
  readonly options: ResolvedControllerOptions;
  /** The class of the controller, which `enqueue` accepts as an argument. Undefined for a controller without a class. */
  readonly target: AnyClass | undefined;
  readonly reconciler: Constructor<Reconciler<KubeObject>> | Reconciler<KubeObject>;
}
/** A runnable that was added to a manager. */
export interface AddedRunnable {
  readonly name: string;
  readonly runnable: Constructor<Runnable> | Runnable;
}
/** A cluster or an endpoint that was added to a manager. */
export interface AddedService<T> {
  readonly name: string;
  readonly service: T;
}
export type Added =
  | { readonly controller: AddedController }
  | { readonly webhook: AddedWebhook }
  | { readonly policy: AddedPolicy }
  | { readonly runnable: AddedRunnable }
  | { readonly cluster: AddedService<Cluster> }
  | { readonly endpoint: AddedService<ServedEndpoint> };

/** Returns the policies among the components of a manager. */
export function addedPolicies(added: readonly Added[]): readonly DescribedPolicy[] {
  return added.flatMap((each) => ('policy' in each ? each.policy.policies : []));
}

/** Adds the settings and defaults of the manager to the options of a controller. */
export type CompleteOptions = <T extends KubeObject>(
  options: ControllerOptions<T>,
  className?: string,
) => ControllerOptions<T>;

/**
 * Returns the parts of a component: its policies, its webhooks, and its controller, runnable, cluster or endpoint. A class can declare a
 * controller, webhooks and policies at the same time. Throws INVALID_POLICY and the errors of `addedComponent`.
 */
export function addedComponents(
  component: Constructor<Component> | Component,
  complete: CompleteOptions,
): readonly Added[] {
  const target = classOf(component);
  const webhook = decoratedWebhook(component, target);
  const policy = decoratedPolicy(target);
  if (webhook === undefined && policy === undefined) return [addedComponent(component, complete)];
  if (webhook !== undefined && typeof component === 'function') servicesOf(target);
  const methods: unknown = typeof component === 'function' ? component.prototype : component;
  const isOther = controllerOptionsOf(target) !== undefined || (webhook === undefined && has(methods, 'run'));
  return [
    ...(policy === undefined ? [] : [{ policy }]),
    ...(webhook === undefined ? [] : [{ webhook }]),
    ...(isOther ? [addedComponent(component, complete)] : []),
  ];
}

/**
 * Determines the type of a component: a decorated class, an instance of such a class, a runnable, a cluster or an endpoint. Throws
 * NOT_A_COMPONENT, INVALID_CONTROLLER, INVALID_SETTING and CANNOT_INJECT.
 */
export function addedComponent(component: Constructor<Component> | Component, complete: CompleteOptions): Added {
  const target = classOf(component);
  const methods: unknown = typeof component === 'function' ? component.prototype : component;
  const options = controllerOptionsOf(target);
  if (options !== undefined) {
    if (!has(methods, 'reconcile')) {
      throw new KubewrightError(
        'NOT_A_COMPONENT',
        `${target.name} is declared as a controller but has no reconcile method`,
      );
    }
    if (typeof component === 'function') servicesOf(target);
    else assertConstructed(target.name, options);
    const reconciler = component as unknown as AddedController['reconciler'];
    return {
      controller: {
        options: resolveControllerOptions(complete(options, target.name), target.name),
        target,
        reconciler,
      },
    };
  }
  if (has(methods, 'run')) {
    if (typeof component === 'function') servicesOf(target);
    return { runnable: { name: nameOf(component, target), runnable: component as AddedRunnable['runnable'] } };
  }
  if (typeof component === 'object' && Symbol.asyncDispose in component) {
    if ('listen' in component) return { endpoint: { name: nameOf(component, target), service: component } };
    if ('client' in component && 'cache' in component) return { cluster: { name: 'a cluster', service: component } };
  }
  const problem =
    undecorated(methods) ??
    'is not a controller, a webhook, a policy, a cluster, an endpoint, or an object with a run method';
  throw new KubewrightError('NOT_A_COMPONENT', `cannot add ${target.name} to the manager: it ${problem}`);
}

/** Returns the class of a component that was added as a class or as an instance. */
export function classOf(component: Constructor<Component> | Component): AnyClass {
  return typeof component === 'function' ? component : (component.constructor as AnyClass);
}

/** Returns a controller that is declared by options and a reconciler instead of a class. Throws INVALID_CONTROLLER and INVALID_SETTING. */
export function plainController<T extends KubeObject>(
  options: ControllerOptions<T>,
  reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  complete: CompleteOptions,
): AddedController {
  const whole = typeof reconciler === 'function' ? { reconcile: reconciler } : reconciler;
  if (!has(whole, 'reconcile')) {
    const message = `controller '${controllerName(options)}' has no reconciler: pass a function, or an object with a reconcile method`;
    throw new KubewrightError('INVALID_CONTROLLER', message);
  }
  assertConstructed(controllerName(options), options);
  return {
    options: resolveControllerOptions(complete(options)),
    target: undefined,
    reconciler: whole,
  };
}
/**
 * Returns a controller of keys that is declared by options and a reconciler instead of a class. Throws INVALID_CONTROLLER and
 * INVALID_SETTING.
 */
export function plainKeyController(
  options: KeyControllerOptions,
  reconciler: KeyReconciler | KeyReconciler['reconcile'],
  complete: CompleteOptions,
): AddedController {
  // Options without `for` declare a controller of keys.
  return plainController(
    options as ControllerOptions<KubeObject>,
    reconciler as unknown as Reconciler<KubeObject>,
    complete,
  );
}

/**
 * Throws INVALID_CONTROLLER if an object is added with `scope: 'reconcile'`. This scope requires a class, because each call needs a new
 * instance.
 */
function assertConstructed<T extends KubeObject>(name: string, { scope }: ControllerOptions<T>): void {
  if (scope !== 'reconcile') return;
  throw new KubewrightError(
    'INVALID_CONTROLLER',
    `controller '${name}': scope: 'reconcile' requires a class that the container constructs: add the class instead of an object, or remove the option`,
  );
}
/**
 * Returns an error text such as 'has no @Controller({ for: … })' if the component has a method of a controller or a webhook. Otherwise
 * returns undefined.
 */
function undecorated(methods: unknown): string | undefined {
  const decorators = { reconcile: 'Controller', default: 'Defaulter', validate: 'Validator', mutate: 'Admission' };
  const found = Object.entries(decorators).find(([method]) => has(methods, method));
  if (found !== undefined) return `has no @${found[1]}({ for: … })`;
  return has(methods, 'up') && has(methods, 'down') ? 'has no @Converter({ from: …, hub: … })' : undefined;
}
/** Returns the `name` of a component. Without a name, returns the name of the class, or 'a runnable' for an object without a class. */
function nameOf(component: object, target: AnyClass): string {
  const { name } = component as { readonly name?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return target === Object ? 'a runnable' : target.name;
}
function has(methods: unknown, name: string): boolean {
  return typeof (methods as Readonly<Record<string, unknown>> | null | undefined)?.[name] === 'function';
}
