import type { InspectedProject } from '../project/inspected-project.js';
import type { LocalWebhooks } from './local-webhooks.js';

/** The registration of the webhooks that an operator on this machine serves, in the cluster of `kubewright dev`. */
export interface WebhookRegistration {
  /** The address and the certificate for the processes of the operator. */
  readonly local: LocalWebhooks;
  /** Prepares the cluster for the webhooks. Called before each installation of the kinds. Rejects if the cluster cannot call webhooks. */
  prepare(declared: InspectedProject): Promise<void>;
  /** Registers the conversions. Called when the kinds are installed, before the operator starts. */
  convert(declared: InspectedProject): Promise<void>;
  /** Registers exactly the declared admission webhooks. Called when the operator runs. Returns whether an object changed. */
  register(declared: InspectedProject): Promise<boolean>;
  /**
   * Called when the operator has ended by itself. Removes the webhooks until the next `register`, if they could otherwise block requests of
   * other users. Returns whether this call removed webhooks.
   */
  suspend(): Promise<boolean>;
  /** Removes the webhooks. Called at the end of the session. */
  unregister(): Promise<void>;
}
