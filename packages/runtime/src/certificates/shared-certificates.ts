import type { X509Certificate } from 'node:crypto';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { NO_CERTIFICATES, stateAfter } from './apply-step.js';
import type { CertificateSecret, FoundSecret } from './certificate-secret.js';
import type { CertificateState, KeyProblem } from './certificate-state.js';
import type { ResolvedCertificatesOptions } from './managed-certificates-options.js';
import type { ProblemLog } from './problem-log.js';
import { isTrusted, isValidAt, nextStep, type RotationStep } from './rotation-plan.js';
import type { ServerTime } from './server-time.js';

/** The result of a check of the Secret. */
export interface CheckedSecret {
  /** The state that all replicas share now. */
  readonly state: CertificateState;
  /** Whether this replica has written the Secret. */
  readonly hasWritten: boolean;
  /** The time in milliseconds until the next change may be due. */
  readonly dueInMs: number;
}

export interface SharedCertificatesUsing {
  readonly secret: CertificateSecret;
  readonly time: ServerTime;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly problems: ProblemLog;
  readonly metrics: Metrics;
}

const CLOCK = 'clock';
const SECOND_MS = 1000;

/** The certificates in the Secret, and the changes that they need. Each check reads the Secret and writes it at most once. */
export class SharedCertificates {
  readonly #options: ResolvedCertificatesOptions;
  readonly #using: SharedCertificatesUsing;
  readonly #subject: string;
  /** The last complete state that was read or written. If the Secret is deleted or damaged, this state is restored while it is valid. */
  #last: CertificateState | undefined;
  #resourceVersion: string | undefined;
  /** The authority that all configurations contain, and the monotonic time since which they contain the authority. */
  #distributed: { readonly fingerprint: string; readonly sinceMs: number } | undefined;

  constructor(options: ResolvedCertificatesOptions, using: SharedCertificatesUsing) {
    this.#options = options;
    this.#using = using;
    this.#subject = `Secret ${options.service.namespace}/${options.secret}`;
  }

  /** Whether `resourceVersion` is the version of the Secret that this replica last read or wrote. */
  knows(resourceVersion: string): boolean {
    return this.#resourceVersion === resourceVersion;
  }

  /**
   * Reads the Secret, and makes the next change if one is due. `isInjected` returns whether all configurations contain the bundle of a
   * state; they must have been read before this call. Rejects with FOREIGN_SECRET, and with the errors of the server. An error for which
   * `isConflict` or `isAlreadyExists` returns true means that another replica made a change first.
   */
  async check(isInjected: (state: CertificateState) => boolean, signal: AbortSignal): Promise<CheckedSecret> {
    const { secret, problems } = this.#using;
    const found = await this.#read(signal);
    this.#checkClock();
    if (found === undefined) return this.#written(await secret.create(await this.#initialState(), signal), 'created');
    if (found.problems.length === 0) problems.clear(this.#subject);
    else if (this.#canRestore()) return this.#restored(found, signal);
    const step = this.#nextStep(found, isInjected(found.state));
    if (step.type === 'wait')
      return { state: found.state, hasWritten: false, dueInMs: this.#dueInMs(step, found.state) };
    const state = await stateAfter(step, found.state, { ...this.#options, nowMs: this.#using.time.nowMs() });
    return this.#written(await secret.update(found, state, signal), step.type, step.reason);
  }

  async #read(signal: AbortSignal): Promise<FoundSecret | undefined> {
    const { secret, metrics, problems } = this.#using;
    metrics.families.certificateReads.of().inc();
    try {
      const found = await secret.read(signal);
      this.#resourceVersion = found?.object.metadata.resourceVersion;
      if (found === undefined) return undefined;
      if (found.problems.length === 0) this.#last = found.state;
      else {
        metrics.families.certificateErrors.of().inc();
        problems.warn(this.#subject, `the Secret is not valid and will be repaired: ${problemText(found.problems)}`);
      }
      return found;
    } catch (error) {
      metrics.families.certificateErrors.of().inc();
      throw error;
    }
  }

  /** Logs once if the clock of this process is wrong. */
  #checkClock(): void {
    const { time, problems } = this.#using;
    if (time.clocksAgree) return problems.clear(CLOCK);
    const message =
      'the clock of this replica differs from the clock of the API server; this replica renews webhook certificates only shortly before they expire';
    problems.warn(CLOCK, message, { differenceSeconds: Math.round(time.differenceMs / SECOND_MS) });
  }

  #initialState(): Promise<CertificateState> | CertificateState {
    if (this.#last !== undefined && this.#canRestore()) return this.#last;
    const nowMs = this.#using.time.nowMs();
    return stateAfter({ type: 'create', reason: '' }, NO_CERTIFICATES, { ...this.#options, nowMs });
  }

  /** Whether the last state could still be used, so that clients and replicas do not notice the loss of the Secret. */
  #canRestore(): boolean {
    const { signer, serving } = this.#last ?? {};
    const nowMs = this.#using.time.nowMs();
    if (this.#last === undefined || signer === undefined || serving === undefined) return false;
    return isValidAt(signer.certificate, nowMs) && isTrusted(serving.certificate, this.#last, nowMs);
  }

  async #restored(found: FoundSecret, signal: AbortSignal): Promise<CheckedSecret> {
    const reason = problemText(found.problems);
    return this.#written(await this.#using.secret.update(found, this.#last ?? found.state, signal), 'restored', reason);
  }

  #nextStep({ state, problems }: FoundSecret, isInjected: boolean): RotationStep {
    const { time } = this.#using;
    const isDistributed = this.#distributedForMs(state, isInjected) >= this.#options.distributionMs;
    const { hosts } = this.#options;
    const step = nextStep(state, { nowMs: time.nowMs(), clocksAgree: time.clocksAgree, isDistributed, hosts });
    // A write replaces the values that are not valid.
    return step.type === 'wait' && problems.length > 0 ? { type: 'prune', reason: problemText(problems) } : step;
  }

  /**
   * Returns the time in milliseconds for which all configurations have contained the signer. Negative if a configuration does not contain
   * the signer.
   */
  #distributedForMs({ signer }: CertificateState, isInjected: boolean): number {
    const nowMs = this.#using.clock.monotonicMs();
    if (!isInjected || signer === undefined) {
      this.#distributed = undefined;
      return -1;
    }
    const fingerprint = signer.certificate.fingerprint256;
    if (this.#distributed?.fingerprint !== fingerprint) this.#distributed = { fingerprint, sinceMs: nowMs };
    return nowMs - this.#distributed.sinceMs;
  }

  #dueInMs({ untilMs }: { readonly untilMs: number }, { signer, serving }: CertificateState): number {
    const { time, clock } = this.#using;
    const dueInMs = untilMs - time.nowMs();
    const isSwitching = signer !== undefined && serving?.certificate.checkIssued(signer.certificate) === false;
    if (!isSwitching || this.#distributed === undefined || !time.clocksAgree) return dueInMs;
    return Math.min(dueInMs, this.#options.distributionMs - (clock.monotonicMs() - this.#distributed.sinceMs));
  }

  #written(found: FoundSecret, change: keyof typeof MESSAGES, reason = ''): CheckedSecret {
    const { logger, problems } = this.#using;
    const { state } = found;
    this.#last = state;
    this.#resourceVersion = found.object.metadata.resourceVersion;
    const fields = {
      object: this.#subject,
      ...(reason !== '' && { reason }),
      expires: expiryOf(state.serving?.certificate),
    };
    logger[change === 'prune' ? 'debug' : 'info'](MESSAGES[change], fields);
    problems.clear(this.#subject);
    return { state, hasWritten: true, dueInMs: 0 };
  }
}

const MESSAGES = {
  created: 'created the Secret with the webhook certificates',
  create: 'replaced the CA and the serving certificate of webhooks',
  renewAuthority: 'rotated the CA of webhooks; the new CA is used when all configurations contain it',
  renewServing: 'rotated the serving certificate of webhooks',
  restored: 'repaired the Secret with the webhook certificates',
  prune: 'removed expired webhook certificates',
} as const;

function problemText(problems: readonly KeyProblem[]): string {
  return problems.map(({ key, problem }) => `${key} ${problem}`).join('; ');
}
function expiryOf(certificate: X509Certificate | undefined): string | undefined {
  return certificate && new Date(Date.parse(certificate.validTo)).toISOString();
}
