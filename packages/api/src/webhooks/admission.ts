import type { KubeObject } from '../objects/kube-object.js';
import type { Draft } from '../objects/readonly.js';
import type { AdmissionContext } from './admission-context.js';
import { recordWebhook } from './record-webhook.js';
import type { Violation } from './violation.js';
import type { AdmissionOptions, AdmittedObject } from './webhook-options.js';

/** An admission request with its objects. The objects are frozen. */
export interface AdmissionRequest<T extends object> extends AdmissionContext {
  /** The object in the request. Undefined on delete. */
  readonly object: T | undefined;
  /** The stored object on update and delete. Undefined for other operations. */
  readonly old: T | undefined;
}

/**
 * Handles admission requests of any kind, including built-in kinds and subresources. Defining `mutate` creates a mutating webhook, and
 * defining `validate` creates a validating webhook. Define both as methods of a class or of an object.
 */
export interface Admission<T extends object> {
  /**
   * Edits the draft of the object in the request. Not called on delete. The framework sends the edits to the API server as the smallest
   * JSON patch. Errors have the same effect as in `Validator.validate`.
   */
  readonly mutate?: (draft: Draft<T>, request: AdmissionRequest<T>) => void | Promise<void>;
  /**
   * Returns all violations. An empty list admits the request. Throw a `DeniedError` to reject a request for a reason that is not in a field
   * of the object. Errors have the same effect as in `Validator.validate`.
   */
  readonly validate?: (request: AdmissionRequest<T>) => readonly Violation[] | Promise<readonly Violation[]>;
}

/**
 * Declares a class as an admission webhook of any kind or subresource. Add the class to the manager. If the class defines both methods, the
 * names and paths of its webhooks differ: 'mutate' or 'validate' precedes the option `name`, and follows the option `path`.
 *
 * Throws INVALID_WEBHOOK if an option is not valid, or if the class defines neither `mutate` nor `validate`.
 *
 * @example
 * @Admission({ for: Pod, subresource: 'eviction', operations: ['create'] })
 * class EvictionGuard implements Admission<Eviction> {
 *   constructor(private readonly client: Client) {}
 *   async validate({ name, namespace }: AdmissionRequest<Eviction>): Promise<Violation[]> {
 *     const pod = await this.client.get(Pod, { name, namespace });
 *     if (pod.metadata.labels?.['protected'] === 'true') throw new DeniedError(`pod ${name} is protected`);
 *     return [];
 *   }
 * }
 */
export function Admission<T extends KubeObject, Subresource extends string = ''>(
  options: AdmissionOptions<T, Subresource>,
): (target: new (...services: never[]) => Admission<AdmittedObject<T, Subresource>>) => void {
  return (target) => recordWebhook(target, 'admission', options);
}
