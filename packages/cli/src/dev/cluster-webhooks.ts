import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '@kubewright/api';
import { messageOf } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { selfSignedCertificate } from '@kubewright/runtime/internal';
import type { CommandContext } from '../command/command-context.js';
import type { KubeApi } from '../deploy/kube-api.js';
import { removeExpiredSessions } from '../dev-sessions/remove-expired-sessions.js';
import {
  replaceConversion,
  restoreConversion,
  isConvertedBy,
  type SessionConversion,
} from '../dev-sessions/replaced-conversion.js';
import { LEASE_SECONDS, SessionLease } from '../dev-sessions/session-lease.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { freePort } from './dev-webhooks.js';
import type { LocalWebhooks } from './local-webhooks.js';
import { probeAddress } from './probe-address.js';
import { sessionConfigurations, sessionConversions } from './session-webhooks.js';
import { SessionNotes } from './session-notes.js';
import { SessionRecords } from './session-records.js';
import { hostAndPort, listenAddress, type WebhookAddress } from './webhook-address.js';
import type { WebhookRegistration } from './webhook-registration.js';

/** The interval in milliseconds at which a session renews its Lease. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;

/** The objects with which a `ClusterWebhooks` is created. */
export interface ClusterWebhooksUsing {
  readonly context: CommandContext;
  readonly project: Project;
  readonly api: KubeApi;
  readonly address: WebhookAddress;
}

/** A session that another command has removed. */
interface LostSession {
  /** The declarations to register again. Undefined if the operator did not run. */
  readonly declared: InspectedProject | undefined;
}

/**
 * Registers the webhooks of an operator on this machine in a cluster that other people may use. All objects have random names, and belong
 * to a Lease, which this process renews. If this process is terminated, the next `kubewright` command that changes the cluster removes the
 * objects after the Lease has expired.
 */
export class ClusterWebhooks implements WebhookRegistration {
  readonly local: LocalWebhooks;
  readonly #using: ClusterWebhooksUsing;
  readonly #url: string;
  readonly #notes: SessionNotes;
  readonly #ended = new AbortController();
  #lease: SessionLease | undefined;
  #registered: readonly KubeObject[] = [];
  /** The conversions of this session by the names of the definitions. */
  readonly #replaced = new Map<string, SessionConversion>();
  /** The conversions that this session cannot register yet, because another session converts the objects. */
  readonly #pending = new Map<string, SessionConversion>();
  /** The declarations that are registered. Undefined if the operator does not run. */
  #declared: InspectedProject | undefined;
  /** The session that another command has removed. Undefined if there is none, and after the webhooks are registered again. */
  #lost: LostSession | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #renewing: Promise<void> | undefined;

  private constructor(local: LocalWebhooks, using: ClusterWebhooksUsing) {
    this.local = local;
    this.#using = using;
    this.#url = `https://${hostAndPort({ ...using.address, port: local.port })}`;
    this.#notes = new SessionNotes(using.context.output);
  }

  /** Selects a free port if the address has none, and creates a certificate for the host that exists only in memory. */
  static async open(using: ClusterWebhooksUsing): Promise<ClusterWebhooks> {
    const { host, port } = using.address;
    const listen = await listenAddress(host);
    const local = { host: listen, port: port ?? (await freePort(listen)), keyPair: selfSignedCertificate([host]) };
    return new ClusterWebhooks(local, using);
  }

  /**
   * Restores the conversions that the new declarations omit. If webhooks are declared for the first time, creates the Lease and checks that
   * the API server can call this machine. If the API server cannot, rejects with WEBHOOKS_UNREACHABLE.
   */
  prepare(declared: InspectedProject): Promise<void> {
    return this.#inTurn(async () => {
      const desired = new Set(this.#conversionsOf(declared).map(({ definition }) => definition));
      for (const definition of this.#replaced.keys()) {
        if (!desired.has(definition)) await this.#restore(definition);
      }
      if (declared.operator.webhooks !== undefined) await this.#open();
    });
  }
  /** Replaces the conversions of the definitions. A conversion by another session remains until that session ends. */
  convert(declared: InspectedProject): Promise<void> {
    return this.#inTurn(() => this.#convert(this.#conversionsOf(declared)));
  }
  register(declared: InspectedProject): Promise<boolean> {
    return this.#inTurn(() => this.#register(declared));
  }
  /** Removes the webhooks and restores the conversions. The Lease remains. */
  suspend(): Promise<boolean> {
    return this.#inTurn(async () => {
      const hasObjects = this.#registered.length > 0 || this.#replaced.size > 0;
      await this.#removeObjects();
      return hasObjects;
    });
  }
  /** Removes all objects of the session. If a request fails, prints how to remove the objects, and does not reject. */
  async unregister(): Promise<void> {
    this.#ended.abort();
    await this.#renewing;
    await this.#inTurn(async () => {
      const lease = this.#lease;
      if (lease === undefined) return;
      try {
        await this.#removeObjects();
        await this.#close(lease);
      } catch (error) {
        this.#notes.notRemoved(lease.key, error);
      }
    });
  }

  /** Runs `work` after all previous work, because the renewal of the Lease can start at any time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #open(): Promise<void> {
    if (this.#lease !== undefined) return;
    const { context, project, api } = this.#using;
    const lease = await this.#newLease();
    try {
      const name = `${lease.name}-probe`;
      const { key: session, namespace } = lease;
      await probeAddress(api, { local: this.local, url: this.#url, session, name, namespace, signal: context.signal });
      await this.#notes.others(api, { settings: project.settings, session });
    } catch (error) {
      await this.#close(lease);
      throw error;
    }
    this.#lost = undefined;
    this.#renewing ??= this.#renewals();
  }
  async #newLease(): Promise<SessionLease> {
    const { project, api } = this.#using;
    const lease = await SessionLease.create(api, project.settings.name);
    this.#lease = lease;
    const { id, lease: name } = lease.key;
    await (await SessionRecords.open(project)).add(id, { lease: name, server: api.connection.server });
    return lease;
  }
  async #close(lease: SessionLease): Promise<void> {
    this.#lease = undefined;
    await lease.remove();
    await (await SessionRecords.open(this.#using.project)).remove(lease.key.id);
  }

  async #register(declared: InspectedProject): Promise<boolean> {
    this.#declared = declared;
    const lease = this.#lease;
    const { settings } = this.#using.project;
    const desired =
      lease === undefined
        ? []
        : sessionConfigurations({ settings, declared, session: lease, local: this.local, url: this.#url });
    if (deepEqual(desired, this.#registered)) return false;
    const { api } = this.#using;
    for (const object of this.#registered) {
      if (!desired.some(({ kind }) => kind === object.kind)) await api.client.delete(object);
    }
    // Records the objects before they are created, so that `unregister` also removes them after an interruption.
    this.#registered = desired;
    for (const object of desired) await api.apply(object, { force: true });
    return true;
  }
  async #convert(conversions: readonly SessionConversion[]): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    this.#pending.clear();
    for (const conversion of conversions) {
      const { definition } = conversion;
      const result = await replaceConversion(this.#using.api, conversion, lease.key);
      if (result.type === 'held') {
        this.#pending.set(definition, conversion);
        this.#notes.held(definition, result.lease);
        continue;
      }
      this.#replaced.set(definition, conversion);
      if (result.type === 'replaced') this.#notes.replaced(definition, result.previous);
    }
  }
  #conversionsOf(declared: InspectedProject): readonly SessionConversion[] {
    return sessionConversions(declared, this.local, this.#url);
  }

  async #removeObjects(): Promise<void> {
    const { api } = this.#using;
    this.#declared = undefined;
    this.#pending.clear();
    for (const object of this.#registered) await api.client.delete(object);
    this.#registered = [];
    for (const definition of this.#replaced.keys()) await this.#restore(definition);
  }
  async #restore(definition: string): Promise<void> {
    const { api } = this.#using;
    const result =
      this.#lease === undefined ? 'absent' : await restoreConversion(api, definition, this.#lease.key.lease);
    this.#replaced.delete(definition);
    if (result !== 'absent') this.#notes.restored(definition, result);
  }

  async #renewals(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await sleep(RENEW_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#inTurn(async () => {
        try {
          await this.#renew();
          this.#notes.renewed();
        } catch (error) {
          this.#notes.notRenewed(messageOf(error));
        }
      });
    }
  }
  async #renew(): Promise<void> {
    const lease = this.#lease;
    if (this.#lost !== undefined) return this.#registerAgain(this.#lost);
    if (lease === undefined) return;
    if (!(await lease.renew())) {
      this.#lost = { declared: this.#declared };
      this.#notes.lost();
      return this.#registerAgain(this.#lost);
    }
    const { context, api } = this.#using;
    if (this.#pending.size > 0) {
      await removeExpiredSessions(context, api);
      await this.#convert([...this.#replaced.values(), ...this.#pending.values()]);
    }
    for (const conversion of this.#replaced.values()) {
      if (!(await isConvertedBy(api, conversion, lease.key))) this.#notes.overwritten(conversion.definition);
    }
  }
  /**
   * Registers the webhooks with a new Lease, because another command has removed the session, for example while this machine was asleep.
   */
  async #registerAgain({ declared }: LostSession): Promise<void> {
    if (this.#lease !== undefined) {
      await this.#removeObjects();
      await this.#close(this.#lease);
    }
    await this.#newLease();
    if (declared !== undefined) {
      await this.#convert(this.#conversionsOf(declared));
      await this.#register(declared);
    }
    this.#lost = undefined;
    this.#notes.registeredAgain();
  }
}
