import { type Clock, microTime } from '@kubewright/api/clock';
import { isAborted, isConflict, isNotFound, KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { resourcePath } from '../transport/request/resource-path.js';
import type { CoordinatedElectionOptions } from './coordinated-election.js';
import { withinLeaseDeadline } from './lease-deadline.js';
import type { ElectionTransport } from './served-lease-lock.js';
import { logFailure } from '../transport/sending/server-outage.js';

const GROUP = 'coordination.k8s.io';
/** The API versions in which LeaseCandidate has the schema that this class uses, in order of preference. */
const VERSIONS = ['v1beta1', 'v1alpha2'];
/** The interval of renewals in milliseconds. The server deletes candidates that were not renewed for 30 min. */
const RENEW_MS = 300_000;
/** The maximum interval of checks for a ping in milliseconds. A candidate must respond to a ping of the server within 5 s. */
const LONGEST_POLL_MS = 2000;
const DEADLINE_MS = 5000;

/** The options of a LeaseCandidate. */
export interface LeaseCandidateOptions extends Required<CoordinatedElectionOptions> {
  /** The name of the LeaseCandidate, which is also the identity of this process in the Lease. */
  readonly name: string;
  readonly namespace: string;
  /** The name of the Lease. */
  readonly leaseName: string;
  /** The interval of checks for a ping of the server, in milliseconds. Values above `LONGEST_POLL_MS` are reduced to this limit. */
  readonly pollMs: number;
}

interface CandidateObject {
  readonly metadata: object;
  readonly spec: { readonly pingTime?: string; readonly renewTime?: string };
}

/** Registers this process as a candidate. Creates a LeaseCandidate, renews it regularly, and renews it after each ping of the server. */
export class LeaseCandidate {
  readonly #options: LeaseCandidateOptions;
  readonly #transport: ElectionTransport;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #version: string | undefined;
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(
    options: LeaseCandidateOptions,
    {
      transport,
      clock,
      logger,
    }: { readonly transport: ElectionTransport; readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#options = options;
    this.#transport = transport;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Maintains the LeaseCandidate until the signal is aborted, and then deletes it. Logs and retries failed requests. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const pollMs = Math.min(this.#options.pollMs, LONGEST_POLL_MS);
    while (!signal.aborted) {
      try {
        await this.#within(signal, (within) => this.#ensure(within));
        await this.#clock.sleep(`${pollMs}ms`, signal);
      } catch (error) {
        if (signal.aborted || isAborted(error)) break;
        const message = 'cannot write the LeaseCandidate; trying again';
        if (!isConflict(error)) logFailure(this.#logger, error, { level: 'warn', message, fields: { error } });
        await this.#clock.sleep(`${pollMs}ms`, signal).catch(() => {
          // The signal was aborted. The loop ends.
        });
      }
    }
    await this.#withdraw();
  }

  async #ensure(signal: AbortSignal): Promise<void> {
    const current = await this.#read(signal);
    if (current === undefined) return this.#create(signal);
    const { pingTime = '', renewTime = '' } = current.spec;
    const isRequested = pingTime > renewTime;
    if (!isRequested && this.#clock.monotonicMs() - this.#renewedMs < RENEW_MS) return;
    const now = microTime(this.#clock.now());
    // If this clock is behind the clock of the server, the renewal must still be later than the ping.
    const spec = { ...current.spec, renewTime: now > pingTime ? now : pingTime };
    await this.#request('PUT', { body: { ...current, spec }, signal });
    this.#renewedMs = this.#clock.monotonicMs();
  }
  async #read(signal: AbortSignal): Promise<CandidateObject | undefined> {
    this.#version ??= await this.#servedVersion(signal);
    try {
      return await this.#request('GET', { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
  async #create(signal: AbortSignal): Promise<void> {
    const { name, namespace, leaseName, binaryVersion, emulationVersion, strategy } = this.#options;
    await this.#request('POST', {
      body: {
        apiVersion: `${GROUP}/${this.#version}`,
        kind: 'LeaseCandidate',
        metadata: { name, namespace },
        spec: { leaseName, binaryVersion, emulationVersion, strategy, renewTime: microTime(this.#clock.now()) },
      },
      signal,
    });
    this.#renewedMs = this.#clock.monotonicMs();
  }
  async #withdraw(): Promise<void> {
    if (this.#renewedMs === Number.NEGATIVE_INFINITY) return;
    try {
      await this.#within(new AbortController().signal, (signal) => this.#request('DELETE', { signal }));
    } catch (error) {
      this.#logger.debug('cannot delete the LeaseCandidate; the API server deletes expired LeaseCandidates', { error });
    }
  }

  /**
   * Returns the API version of LeaseCandidate that the server serves. Rejects with COORDINATION_NOT_SUPPORTED if the server serves none.
   */
  async #servedVersion(signal: AbortSignal): Promise<string> {
    const served = await this.#transport.request<{ readonly versions: readonly { readonly version: string }[] }>({
      method: 'GET',
      path: `/apis/${GROUP}`,
      signal,
      attempted: 'find the version of LeaseCandidate',
    });
    const version = VERSIONS.find((supported) => served.versions.some((one) => one.version === supported));
    if (version !== undefined) return version;
    throw new KubewrightError(
      'COORDINATION_NOT_SUPPORTED',
      `cannot be a candidate for Lease ${this.#options.leaseName}: the server does not serve LeaseCandidate; enable its feature gate CoordinatedLeaderElection and its API ${GROUP}/v1beta1, or remove the option coordinated`,
    );
  }
  #request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    { body, signal }: { readonly body?: object; readonly signal: AbortSignal },
  ): Promise<CandidateObject> {
    const { name, namespace } = this.#options;
    const info = {
      group: GROUP,
      version: this.#version ?? '',
      apiVersion: `${GROUP}/${this.#version}`,
      kind: 'LeaseCandidate',
      plural: 'leasecandidates',
      namespaced: true,
    };
    return this.#transport.request({
      method,
      path: resourcePath(info, method === 'POST' ? { namespace } : { namespace, name }),
      body,
      signal,
      attempted: `${method.toLowerCase()} lease candidate ${namespace}/${name}`,
    });
  }
  #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withinLeaseDeadline({ clock: this.#clock, ms: DEADLINE_MS, signal }, work);
  }
}
