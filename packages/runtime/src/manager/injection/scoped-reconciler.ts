import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { ReconcileContext } from '../../controller/reconciler/reconcile-context.js';
import type { Reconciler } from '../../controller/reconciler/reconciler.js';
import { Logger } from '../../log/logger.js';
import type { Constructor, ServiceContainer } from './service-container.js';

type AnyReconciler = Reconciler<KubeObject>;

/**
 * Returns a reconciler that constructs a new instance of a class for each call, in a new child container. The child container is disposed
 * of when the call ends. In this container, `Logger` is the logger of the reconcile. Throws NOT_PROVIDED and CANNOT_INJECT if the class
 * cannot be constructed.
 */
export function scopedReconciler(target: Constructor<AnyReconciler>, container: ServiceContainer): AnyReconciler {
  container.prepareForChildren(target);
  const methods = target.prototype as AnyReconciler;
  const inScope = async <R>(context: ReconcileContext, call: (reconciler: AnyReconciler) => Promise<R>): Promise<R> => {
    const scope = container.child();
    scope.provide(Logger, { value: context.log });
    try {
      const reconciler = scope.makePrepared(target);
      checkMethods(reconciler, target);
      return await call(reconciler);
    } finally {
      await scope.dispose();
    }
  };
  return {
    reconcile: (object, context) => inScope(context, (reconciler) => reconciler.reconcile(object, context)),
    ...(methods.finalize && {
      finalize: (object, context) => inScope(context, (reconciler) => reconciler.finalize!(object, context)),
    }),
    ...(methods.onError && {
      onError: (object, error, context) =>
        inScope(context, async (reconciler) => reconciler.onError!(object, error, context)),
    }),
  };
}

/**
 * Throws INVALID_CONTROLLER if `finalizers`, `finalize` or `onError` is a field of the instance. These handlers are read from the class
 * before an instance exists, so that a field would have no effect.
 */
function checkMethods(reconciler: AnyReconciler, target: Constructor): void {
  const field = (['finalizers', 'finalize', 'onError'] as const).find((name) => Object.hasOwn(reconciler, name));
  if (field === undefined) return;
  const remedy = field === 'finalizers' ? 'define finalize as a method' : 'define it as a method';
  throw new KubewrightError(
    'INVALID_CONTROLLER',
    `${target.name} has the field '${field}', which scope: 'reconcile' does not support: ${remedy}, or remove the option scope`,
  );
}
