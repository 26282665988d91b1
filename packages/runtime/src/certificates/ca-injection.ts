import type { KubeObject } from '@kubewright/api';
import { isConflict, isForbidden, isNotFound } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { objectAnswerOf } from '../transport/answer/object-answer.js';
import type { RequestOptions } from '../transport/request/request-options.js';
import { resourcePath } from '../transport/request/resource-path.js';
import { type CertificatesTransport, REQUEST_TIMEOUT } from './certificate-secret.js';
import {
  type BundleField,
  bundleFields,
  type InjectionTarget,
  type ServiceKey,
  targetName,
} from './injection-target.js';
import { pemCertificates } from './pem-certificates.js';
import type { ProblemLog } from './problem-log.js';
import type { ServerTime } from './server-time.js';

/** The state of a target before the Secret was read. */
export interface ReadTarget {
  readonly target: InjectionTarget;
  /** The object, as it was read. Undefined if the object does not exist or cannot be read. */
  readonly object: KubeObject | undefined;
  readonly isReadable: boolean;
}

/** The result of an injection into all targets. */
export interface InjectionResult {
  /** Whether all targets that exist contain the bundle now. */
  readonly isComplete: boolean;
  /** Whether a target was patched. */
  readonly hasPatched: boolean;
}
type TargetResult = 'complete' | 'patched' | 'failed';

export interface CaInjectionOptions {
  readonly transport: CertificatesTransport;
  readonly service: ServiceKey;
  readonly time: ServerTime;
  readonly logger: Logger;
  readonly problems: ProblemLog;
}

const JSON_PATCH = 'application/json-patch+json';
const REMEDY = 'generate the manifests again and apply them, so that the roles contain the permissions for webhooks';

/**
 * Writes the CA bundle into the webhook configurations and CustomResourceDefinitions of the operator. The replicas do not need a leader. A
 * replica reads the targets before the Secret, and writes a target only if the target has not changed since then. Therefore, no replica can
 * replace a bundle with an older one.
 */
export class CaInjection {
  readonly #options: CaInjectionOptions;
  /** The resourceVersion that this replica last read or wrote, by the name of the target. */
  readonly #versions = new Map<string, string>();
  /** The bundles of earlier injections. A bundle that is neither one of them nor a part of the current bundle is from another program. */
  readonly #injected = new Set<string>();

  constructor(options: CaInjectionOptions) {
    this.#options = options;
  }

  /** Whether `resourceVersion` is the version of the target that this replica last read or wrote. */
  knows(target: InjectionTarget, resourceVersion: string): boolean {
    return this.#versions.get(targetName(target)) === resourceVersion;
  }

  /** Reads the targets. If a target cannot be read, logs the error and does not reject. */
  read(targets: readonly InjectionTarget[], signal: AbortSignal): Promise<readonly ReadTarget[]> {
    return Promise.all(targets.map((target) => this.#read(target, signal)));
  }

  /** Whether all targets that exist contain the bundle. False if a target cannot be read. */
  isComplete(targets: readonly ReadTarget[], bundle: string): boolean {
    return targets.every(({ isReadable, object }) => isReadable && this.#outdated(object, bundle).length === 0);
  }

  /** Writes the bundle into each target that contains another bundle or none. Logs errors, and rejects only if the signal is aborted. */
  async inject(targets: readonly ReadTarget[], bundle: string, signal: AbortSignal): Promise<InjectionResult> {
    const results: TargetResult[] = [];
    for (const read of targets) results.push(await this.#inject(read, bundle, signal));
    this.#injected.add(bundle);
    return { isComplete: !results.includes('failed'), hasPatched: results.includes('patched') };
  }

  async #read(target: InjectionTarget, signal: AbortSignal): Promise<ReadTarget> {
    const { problems } = this.#options;
    const subject = targetName(target);
    try {
      const object = await this.#sent(target, { method: 'GET', attempted: `get ${subject}`, signal });
      return { target, object, isReadable: true };
    } catch (error) {
      signal.throwIfAborted();
      this.#versions.delete(subject);
      if (isNotFound(error)) {
        problems.note(
          subject,
          'the API server does not call the webhooks, because an object with their configuration does not exist',
        );
        return { target, object: undefined, isReadable: true };
      }
      problems.failed(subject, failureMessage('cannot read the configuration of webhooks', error), error);
      return { target, object: undefined, isReadable: false };
    }
  }

  async #inject(
    { target, object, isReadable }: ReadTarget,
    bundle: string,
    signal: AbortSignal,
  ): Promise<TargetResult> {
    if (object === undefined) return isReadable ? 'complete' : 'failed';
    const { problems, service } = this.#options;
    const subject = targetName(target);
    if (bundleFields(object, service).length === 0) {
      const message = `no webhook in the object calls Service ${service.namespace}/${service.name}; apply the generated manifests`;
      problems.warn(subject, message);
      return 'complete';
    }
    const outdated = this.#outdated(object, bundle);
    if (outdated.length > 0) {
      if (!(await this.#patch({ target, object, outdated }, bundle, signal))) return 'failed';
      problems.clear(subject);
      return 'patched';
    }
    problems.clear(subject);
    return 'complete';
  }

  /** Patches a target. Returns false if the target has changed since it was read, or if the server rejects the patch. */
  async #patch({ target, object, outdated }: OutdatedTarget, bundle: string, signal: AbortSignal): Promise<boolean> {
    const { problems, logger } = this.#options;
    const subject = targetName(target);
    const body = patchOf(object, outdated, bundle);
    try {
      await this.#sent(target, {
        method: 'PATCH',
        contentType: JSON_PATCH,
        body,
        attempted: `patch ${subject}`,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!isConflict(error)) problems.failed(subject, failureMessage('cannot inject the CA bundle', error), error);
      return false;
    }
    const isForeign = outdated.some(({ value }) => !this.#injected.has(value) && !isPartOf(value, bundle));
    if (isForeign) logger.warn('repaired the CA bundle of webhooks, because it was overwritten', { object: subject });
    else logger.info('injected the CA bundle of webhooks', { object: subject });
    return true;
  }

  #outdated(object: KubeObject | undefined, bundle: string): readonly BundleField[] {
    if (object === undefined) return [];
    return bundleFields(object, this.#options.service).filter(({ value }) => value !== bundle);
  }

  async #sent(
    { resource, name }: InjectionTarget,
    request: Omit<RequestOptions, 'path'> & { readonly attempted: string },
  ): Promise<KubeObject> {
    const { transport, time } = this.#options;
    const answer = await transport.request<unknown>({
      ...request,
      path: resourcePath(resource, { name }),
      timeout: REQUEST_TIMEOUT,
      onHeaders: (headers) => time.note(headers),
    });
    const object = objectAnswerOf(answer, { resource, attempted: request.attempted, name });
    this.#versions.set(targetName({ resource, name }), object.metadata.resourceVersion ?? '');
    return object;
  }
}

interface OutdatedTarget {
  readonly target: InjectionTarget;
  readonly object: KubeObject;
  readonly outdated: readonly BundleField[];
}

/** Returns a JSON patch that the server rejects with a conflict if the object has changed. */
function patchOf({ metadata }: KubeObject, outdated: readonly BundleField[], bundle: string): readonly object[] {
  return [
    { op: 'add', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
    ...outdated.map(({ path }) => ({ op: 'add', path, value: bundle })),
  ];
}

/**
 * Whether `part` is empty, or contains at least one certificate and only certificates of `bundle`. The bundle before a rotation is a part
 * of the bundle after the rotation.
 */
function isPartOf(part: string, bundle: string): boolean {
  const [some = [], all = []] = [part, bundle].map((base64) =>
    pemCertificates(Buffer.from(base64, 'base64').toString('utf8')),
  );
  return part === '' || (some.length > 0 && some.every((certificate) => all.includes(certificate)));
}

function failureMessage(what: string, error: unknown): string {
  return isForbidden(error) ? `${what}; ${REMEDY}` : what;
}
