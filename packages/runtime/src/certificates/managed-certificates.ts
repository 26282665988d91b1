import type { Clock } from '@kubewright/api/clock';
import { isAlreadyExists, isConflict, isForbidden, KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { KeyPair } from '../serving/key-pair.js';
import type { ServingCertificates } from '../serving/serving-certificates.js';
import type { Transport } from '../transport/sending/transport.js';
import { BackOff } from '../waiting/back-off.js';
import { CaInjection } from './ca-injection.js';
import { CertificateSecret, SECRETS } from './certificate-secret.js';
import { caBundleOf } from './certificate-state.js';
import { injectionTargets } from './injection-target.js';
import {
  type ManagedCertificatesOptions,
  type ResolvedCertificatesOptions,
  resolveCertificatesOptions,
} from './managed-certificates-options.js';
import { ObjectWatches, type WatchedObject } from './object-watches.js';
import { ProblemLog } from './problem-log.js';
import { ServerTime } from './server-time.js';
import { SharedCertificates } from './shared-certificates.js';

export interface ManagedCertificatesUsing {
  /** Returns the transport to the API server. */
  readonly transport: () => Promise<Transport>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The time in milliseconds between two checks if no watch reports a change and no renewal is due earlier. */
const CHECK_MS = 600_000;
const MIN_DELAY_MS = 1000;
/** The number of consecutive checks with changes after which checks are delayed. A rotation of both certificates needs fewer checks. */
const MAX_CHANGES = 8;
const SUBJECT = 'webhook certificates';
const MISSING_PERMISSION =
  'generate the manifests again and apply them, so that the role contains the permissions for the Secret';
/** The codes of errors that a retry cannot resolve. The operator or the Secret must be changed first. */
const PERMANENT = new Set(['FOREIGN_SECRET', 'INVALID_NAME']);

/**
 * Creates and renews the serving certificate of the webhooks, without another component such as cert-manager. The replicas share a CA and a
 * serving certificate in a Secret, and write the CA bundle into the webhook configurations and CustomResourceDefinitions of the operator.
 * No replica is a leader: each change is one conditional write. If a replica stops during a rotation, any other replica continues it.
 *
 * Guarantees:
 * - Clients that verify with the bundle in a configuration accept the certificate of every replica, also during a rotation. A new CA is in
 *   every configuration before a replica serves a certificate of this CA. An old CA stays in the bundle until all of its certificates have
 *   expired.
 * - While the API server does not respond, the replica serves its last certificate.
 * - All times are those of the API server. A replica whose own clock differs by more than 5 min logs a warning, and renews certificates
 *   only shortly before they expire.
 * - The Secret is only changed if its annotation contains the name of this operator. Invalid content is replaced.
 *
 * Each replica watches the Secret and the configurations by name. In addition, it reads all of these objects every 10 min.
 *
 * @example
 * const certificates = new ManagedCertificates(
 *   { name: 'shop', namespace: 'shop-system', injectInto: () => ({ customResourceDefinitions: ['carts.shop.example.com'] }) },
 *   { transport, clock, logger, metrics },
 * );
 * const keyPair = await certificates.start(signal);
 */
export class ManagedCertificates implements ServingCertificates {
  readonly #options: ResolvedCertificatesOptions;
  readonly #injectInto: ManagedCertificatesOptions['injectInto'];
  readonly #using: ManagedCertificatesUsing;
  readonly #problems: ProblemLog;
  readonly #backOff: BackOff;
  readonly #keyPairListeners = new Set<(keyPair: KeyPair) => void>();
  readonly #activityListeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #keyPair: KeyPair | undefined;
  /** The key pair that `start` has provided. */
  #provided: KeyPair | undefined;
  #isChecking = false;
  /** Whether an object has changed since the current check began. */
  #isStale = false;
  #wake: () => void = () => undefined;
  /** The number of consecutive checks that changed an object. */
  #changes = 0;

  /** Creates the certificates without a request. Throws INVALID_NAME, INVALID_DURATION and INVALID_SERVING_OPTIONS. */
  constructor(options: ManagedCertificatesOptions, using: ManagedCertificatesUsing) {
    this.#options = resolveCertificatesOptions(options);
    this.#injectInto = options.injectInto;
    this.#using = using;
    this.#problems = new ProblemLog(using.logger);
    this.#backOff = new BackOff(using.clock);
  }

  /** The host names of the serving certificate. */
  get hosts(): readonly string[] {
    return this.#options.hosts;
  }
  /** Whether a check of the Secret and the configurations is running or due immediately. */
  get isChecking(): boolean {
    return this.#isChecking;
  }

  /**
   * Provides the first key pair, and keeps the Secret and the configurations up to date until the object is disposed of. If the server
   * rejects a request, logs the error once and retries with back-off.
   *
   * Rejects with ALREADY_STARTED after an earlier call. Rejects with FOREIGN_SECRET if the annotation of the Secret does not name this
   * operator, with STOPPED if the object is disposed of first, and with the reason of the signal. After a rejection other than
   * ALREADY_STARTED, no check runs.
   */
  async start(signal: AbortSignal): Promise<KeyPair> {
    if (this.#running !== undefined) {
      throw new KubewrightError('ALREADY_STARTED', 'cannot start the webhook certificates: they were already started');
    }
    signal.throwIfAborted();
    const abort = (): void => this.#closing.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<KeyPair>((resolve, reject) => {
        const remove = this.onChange((keyPair) => {
          remove();
          this.#provided = keyPair;
          resolve(keyPair);
        });
        this.#running = this.#run().catch(reject);
      });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  onChange(listener: (keyPair: KeyPair) => void): () => void {
    this.#keyPairListeners.add(listener);
    // The key pair may have changed since `start` returned.
    if (this.#keyPair !== undefined && this.#keyPair !== this.#provided) listener(this.#keyPair);
    return () => void this.#keyPairListeners.delete(listener);
  }

  /** Calls the listener each time `isChecking` changes. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    this.#activityListeners.add(listener);
    return () => void this.#activityListeners.delete(listener);
  }

  /**
   * Requests a check of the Secret and the configurations, for example because a webhook was added. The check starts immediately, or when
   * the current check ends.
   */
  refresh(): void {
    this.#isStale = true;
    this.#wake();
  }

  /** Stops all checks and watches. The Secret and the configurations remain. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new KubewrightError('STOPPED', 'the webhook certificates were stopped'));
    await this.#running;
  }

  /**
   * Repeats checks until the object is disposed of. Before the first key pair exists, rejects with an error that a retry cannot resolve,
   * and with the reason for which the object was stopped.
   */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    try {
      const parts = this.#partsOf(await this.#using.transport());
      await using watches = parts.watches;
      while (!signal.aborted) {
        this.#isStale = false;
        this.#setChecking(true);
        const delayMs = await this.#attempt({ ...parts, watches }, signal);
        if (!this.#isStale && delayMs > 0) await this.#pause(delayMs, signal);
      }
    } finally {
      this.#setChecking(false);
    }
    if (this.#keyPair === undefined) signal.throwIfAborted();
  }

  #partsOf(transport: Transport): Parts {
    const { clock, logger, metrics } = this.#using;
    const { service, secret: name, operator } = this.#options;
    const problems = this.#problems;
    const time = new ServerTime(clock);
    const secret = new CertificateSecret({ transport, name, namespace: service.namespace, operator, time });
    const injection = new CaInjection({ transport, service, time, logger, problems });
    const shared = new SharedCertificates(this.#options, { secret, time, clock, logger, problems, metrics });
    const onChange = (object: WatchedObject, version: string | undefined): void => {
      const isKnown =
        version !== undefined &&
        (object.resource === SECRETS ? shared.knows(version) : injection.knows(object, version));
      if (!isKnown) this.refresh();
    };
    return { injection, shared, watches: new ObjectWatches({ transport, clock, logger, problems, onChange }) };
  }

  /**
   * Performs a check, and returns the delay in milliseconds until the next check. Before the first key pair exists, rejects with an error
   * that a retry cannot resolve. Logs any other error and returns the back-off delay. After a conflict, returns 0.
   */
  async #attempt(parts: Parts, signal: AbortSignal): Promise<number> {
    try {
      const delayMs = await this.#check(parts, signal);
      this.#problems.clear(SUBJECT);
      return delayMs;
    } catch (error) {
      if (signal.aborted || isConflict(error) || isAlreadyExists(error)) return 0;
      if (this.#keyPair === undefined && error instanceof KubewrightError && PERMANENT.has(error.code)) throw error;
      const remedy = isForbidden(error) ? `; ${MISSING_PERMISSION}` : '';
      this.#problems.failed(SUBJECT, `cannot read or renew the webhook certificates${remedy}`, error);
      return this.#backOff.nextMs();
    }
  }

  /**
   * Performs a check, and returns the delay in milliseconds until the next check. Reads the configurations before it reads the Secret, and
   * then writes the configurations. A bundle that this check injects is therefore at least as new as the bundle that it replaces.
   */
  async #check({ injection, shared, watches }: Parts, signal: AbortSignal): Promise<number> {
    const targets = injectionTargets(this.#injectInto());
    const { secret: name, service } = this.#options;
    watches.set([{ resource: SECRETS, name, namespace: service.namespace }, ...targets]);
    const read = await injection.read(targets, signal);
    const { state, hasWritten, dueInMs } = await shared.check(
      (found) => injection.isComplete(read, caBundleOf(found)),
      signal,
    );
    this.#adopt(state.serving?.keyPair);
    const { isComplete, hasPatched } = await injection.inject(read, caBundleOf(state), signal);
    if (hasWritten || hasPatched) return this.#delayAfterChange(signal);
    this.#changes = 0;
    if (!isComplete) return this.#backOff.nextMs();
    return Math.max(MIN_DELAY_MS, Math.min(CHECK_MS, dueInMs));
  }

  /**
   * Resolves with 0. Waits first if more than `MAX_CHANGES` consecutive checks changed an object, because another program may revert the
   * changes.
   */
  async #delayAfterChange(signal: AbortSignal): Promise<number> {
    this.#changes += 1;
    if (this.#changes > MAX_CHANGES) await this.#using.clock.sleep(`${this.#backOff.nextMs()}ms`, signal);
    return 0;
  }

  #adopt(keyPair: KeyPair | undefined): void {
    if (keyPair === undefined) return;
    if (keyPair.cert === this.#keyPair?.cert && keyPair.key === this.#keyPair.key) return;
    this.#keyPair = keyPair;
    for (const listener of this.#keyPairListeners) listener(keyPair);
  }

  /** Resolves after the delay, at the next `refresh`, or when the signal is aborted. */
  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal.removeEventListener('abort', done);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = this.#using.clock.schedule(delayMs, done);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
      this.#setChecking(false);
    });
  }

  #setChecking(isChecking: boolean): void {
    if (this.#isChecking === isChecking) return;
    this.#isChecking = isChecking;
    for (const listener of this.#activityListeners) listener();
  }
}

interface Parts {
  readonly injection: CaInjection;
  readonly shared: SharedCertificates;
  readonly watches: ObjectWatches;
}
