import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ControllerDescription, OperatorDescription } from '@kubewright/runtime';
import { namesOfKind } from './names-of-kind.js';
import type { PlanMessage } from './plan-messages.js';

/** The name of a controller, and whether the kind that the controller reconciles is namespaced. */
export interface FoundController {
  readonly controller: string;
  readonly namespaced: boolean;
}

/**
 * Returns the controller that reconciles a kind. `kind` can be any name that kubectl accepts, such as 'website' or 'websites.example.com'.
 * @throws KubewrightError UNKNOWN_CONTROLLER if no controller or several controllers match; the message lists the existing controllers
 */
export function controllerOf(
  { controllers }: OperatorDescription,
  { kind, controller: requested }: Pick<PlanMessage, 'kind' | 'controller'>,
): FoundController {
  const ofKind = controllers.filter((controller) => namesOf(controller).includes(kind.toLowerCase()));
  const found = requested === undefined ? ofKind : ofKind.filter(({ name }) => name === requested);
  const [only] = found;
  if (only?.for !== undefined && found.length === 1) {
    return { controller: only.name, namespaced: kindOf(only.for.kind).namespaced ?? true };
  }
  const known = (ofKind.length > 0 ? ofKind : controllers).map((controller) => {
    return controller.for === undefined
      ? controller.name
      : `${controller.name} for ${kindOf(controller.for.kind).kind}`;
  });
  if (requested !== undefined && ofKind.length > 0) {
    const message = `no controller '${requested}' reconciles '${kind}'; select one of these with --controller: ${known.join(', ')}`;
    throw new KubewrightError('UNKNOWN_CONTROLLER', message);
  }
  const remedy = ofKind.length > 1 ? 'select one with --controller' : 'specify a kind that a controller reconciles';
  throw new KubewrightError(
    'UNKNOWN_CONTROLLER',
    `${ofKind.length > 1 ? 'several controllers reconcile' : 'no controller reconciles'} '${kind}'; ${remedy}: ${known.join(', ') || '(none)'}`,
  );
}

function namesOf({ for: reconciled }: ControllerDescription): readonly string[] {
  return reconciled === undefined ? [] : namesOfKind(kindOf(reconciled.kind));
}
