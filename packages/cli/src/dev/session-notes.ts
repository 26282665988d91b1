import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import type { CustomResourceConversion } from '@kubewright/api/apiextensions/v1';
import { messageOf } from '@kubewright/api/errors';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { Output } from '../command/output.js';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { findSessions, restoredLine } from '../dev-sessions/found-sessions.js';
import { SESSION_LABEL, type SessionKey } from '../dev-sessions/session-objects.js';
import type { ProjectSettings } from '../project/project-settings.js';

/** Prints the events of a session with webhooks in a cluster. Prints repeated events once. */
export class SessionNotes {
  readonly #output: Output;
  readonly #printed = new Set<string>();
  #cannotRenew = false;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Prints which other processes also receive the requests: the deployed operator, and other sessions of the same project. */
  async others(
    api: KubeApi,
    { settings, session }: { readonly settings: ProjectSettings; readonly session: SessionKey },
  ): Promise<void> {
    const { mutatingConfiguration, validatingConfiguration } = webhookNames(settings.name);
    for (const [kind, name] of [
      [MutatingWebhookConfiguration, mutatingConfiguration],
      [ValidatingWebhookConfiguration, validatingConfiguration],
    ] as const) {
      const found = await api.client.live.find(kind, { name });
      if (found === undefined) continue;
      this.#warn(`the API server also calls the webhooks of the deployed operator: ${describeObject(found)}`);
      const remedy = `to call only this process: kubectl delete ${kind.name.toLowerCase()} ${name}; 'kubewright deploy' creates the object again`;
      this.#dim(`  ${remedy}`);
    }
    for (const { lease, holder = 'another user', isExpired } of await findSessions(api)) {
      const isSameProject = lease.slice(lease.indexOf('/') + 1).startsWith(`${settings.name}-dev-`);
      if (isExpired || !isSameProject || lease === session.lease) continue;
      this.#warn(`the API server also calls the webhooks of 'kubewright dev' of ${holder} (Lease ${lease})`);
    }
  }
  /** Prints that this process converts a kind. If the previous conversion called a Service or a URL, also prints the Service or the URL. */
  replaced(definition: string, { webhook }: CustomResourceConversion): void {
    const { service, url } = webhook?.clientConfig ?? {};
    const by = service === undefined ? url : `Service ${service.namespace}/${service.name}`;
    const before = by === undefined ? '' : ` instead of ${by}, until this command ends`;
    this.#dim(`this process converts ${definition}${before}`);
  }
  /** Prints that another session converts a kind. */
  held(definition: string, lease: string): void {
    this.#once(`${definition} ${lease}`, () =>
      this.#warn(
        `another 'kubewright dev' (Lease ${lease}) converts ${definition}; this process converts ${definition} when that command has ended`,
      ),
    );
  }
  /** Prints that another client has changed the conversion of a kind. */
  overwritten(definition: string): void {
    this.#once(`overwritten ${definition}`, () =>
      this.#warn(
        `another client has changed the conversion of ${definition}: this process no longer converts ${definition} until the next save`,
      ),
    );
  }
  restored(definition: string, result: 'restored' | 'kept'): void {
    this.#printed.delete(`overwritten ${definition}`);
    this.#dim(restoredLine(definition, result));
  }
  lost(): void {
    this.#warn(
      'another command has removed the webhooks of this process, because its Lease had expired; registering the webhooks again',
    );
  }
  registeredAgain(): void {
    this.#dim('registered the webhooks again');
  }
  renewed(): void {
    this.#cannotRenew = false;
  }
  notRenewed(reason: string): void {
    if (!this.#cannotRenew) this.#warn(`cannot renew the Lease of the webhooks of this process: ${reason}`);
    this.#cannotRenew = true;
  }
  notRemoved({ id, lease }: SessionKey, error: unknown): void {
    this.#warn(`cannot remove the webhooks of this process: ${messageOf(error)}`);
    this.#dim(
      `  the next 'kubewright dev --cluster' removes them when the Lease ${lease} has expired; or: kubectl delete mutatingwebhookconfigurations,validatingwebhookconfigurations -l ${SESSION_LABEL}=${id}`,
    );
  }

  #once(key: string, print: () => void): void {
    if (this.#printed.has(key)) return;
    this.#printed.add(key);
    print();
  }
  #warn(text: string): void {
    this.#output.note(`${this.#output.errorStyles.yellow('warning:')} ${text}`);
  }
  #dim(text: string): void {
    this.#output.note(this.#output.errorStyles.dim(text));
  }
}
