import { dynamicKind, type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError, isExpired, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { describeObject, type KubeApi } from '../deploy/kube-api.js';
import { storageVersionOf } from './stored-versions.js';

/** The annotation of a CustomResourceDefinition with the state of a migration, so that an interrupted migration can continue. */
export const PROGRESS_ANNOTATION = 'kubewright.dev/storage-migration';

/** The options of `rewriteObjects`. */
export interface RewriteOptions {
  /** The maximum number of writes per second. */
  readonly rate: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** An object that the API server did not accept. */
export interface FailedWrite {
  /** The kind, namespace and name. */
  readonly object: string;
  readonly message: string;
}

/** The number of written objects, and the objects that could not be written. */
export interface Rewritten {
  readonly written: number;
  readonly failed: readonly FailedWrite[];
}

/**
 * Writes each object without a change, so that the API server stores it in the storage version. Objects that were written after the
 * migration began are already stored in this version, and are not written again. An annotation of the definition contains the
 * resourceVersion at which the migration began, so that the next call continues an interrupted migration. Rejects with errors that do not
 * concern single objects, such as a lost connection or missing permissions.
 */
export async function rewriteObjects(
  api: KubeApi,
  crd: CustomResourceDefinition,
  options: RewriteOptions,
): Promise<Rewritten> {
  const rewriting = new Rewriting(api, crd, options);
  await rewriting.run();
  return rewriting;
}

/** One migration of the objects of a definition. */
class Rewriting implements Rewritten {
  readonly failed: FailedWrite[] = [];
  written = 0;
  readonly #api: KubeApi;
  readonly #crd: CustomResourceDefinition;
  readonly #options: RewriteOptions;
  readonly #clock = new SystemClock();
  /** The UIDs of objects that could not be written. If the objects are listed again, these objects are skipped. */
  readonly #refused = new Set<string>();
  #nextMs = 0;
  #begun: string | undefined;

  constructor(api: KubeApi, crd: CustomResourceDefinition, options: RewriteOptions) {
    this.#api = api;
    this.#crd = crd;
    this.#options = options;
    this.#begun = begunAt(crd);
  }

  async run(): Promise<void> {
    const kind = metadataOnly(listedKind(this.#crd));
    for (;;) {
      try {
        for await (const { items, resourceVersion } of this.#api.client.live.pages(kind)) {
          await this.#begin(resourceVersion);
          for (const object of items) await this.#rewrite(object);
        }
      } catch (error) {
        // The API server discards old lists. The next list skips the objects that are already written.
        if (isExpired(error) && !this.#options.dryRun) continue;
        throw error;
      }
      break;
    }
    if (this.#options.dryRun || this.failed.length > 0) return;
    await this.#annotate(null);
  }

  async #begin(resourceVersion: string): Promise<void> {
    if (this.#begun !== undefined) return;
    this.#begun = resourceVersion;
    const { generation } = this.#crd.metadata;
    if (!this.#options.dryRun) await this.#annotate(JSON.stringify({ generation, resourceVersion }));
  }

  async #annotate(value: string | null): Promise<void> {
    await this.#api.client.patch(this.#crd, { merge: { metadata: { annotations: { [PROGRESS_ANNOTATION]: value } } } });
  }

  async #rewrite(object: KubeObject): Promise<void> {
    const { dryRun } = this.#options;
    const { uid, resourceVersion } = object.metadata;
    if (compareResourceVersions(resourceVersion, this.#begun ?? resourceVersion) > 0 || this.#refused.has(uid)) return;
    await this.#pause();
    try {
      await this.#api.client.patch(object, { merge: {} }, { dryRun });
      this.written += 1;
    } catch (error) {
      // Ignores a deleted object, because the API server does not store it.
      if (isNotFound(error)) return;
      if (!isRefusal(error)) throw error;
      this.#refused.add(uid);
      this.failed.push({ object: describeObject(object), message: error.body.message ?? error.message });
    }
  }

  /** Waits until the rate allows the next write. */
  async #pause(): Promise<void> {
    const { rate, signal } = this.#options;
    signal.throwIfAborted();
    const waitMs = this.#nextMs - this.#clock.monotonicMs();
    if (waitMs > 0) await this.#clock.sleep(`${Math.ceil(waitMs)}ms`, signal);
    this.#nextMs = this.#clock.monotonicMs() + 1000 / rate;
  }
}

/**
 * Reports whether the API server or a webhook rejected a single object. Returns false for errors that concern all objects, such as missing
 * permissions and overload.
 */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 409, 413, 422, 500].includes(error.status);
}

/** Returns the kind in the storage version, or in another served version if the storage version is not served. */
function listedKind(crd: CustomResourceDefinition): KindRef {
  const { group, names, versions } = crd.spec;
  const served = versions.filter((version) => version.served);
  const version = served.find(({ name }) => name === storageVersionOf(crd)) ?? served[0];
  if (version !== undefined) return dynamicKind(`${group}/${version.name}`, names.kind);
  const message = `no version of ${crd.metadata.name} is served, so its objects cannot be written; serve a version`;
  throw new KubewrightError('KIND_NOT_SERVED', message);
}

/** Returns the resourceVersion at which an interrupted migration of the same definition began; undefined if there is none. */
function begunAt({ metadata }: CustomResourceDefinition): string | undefined {
  const text = metadata.annotations?.[PROGRESS_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const { generation, resourceVersion } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isSame = generation === metadata.generation && typeof resourceVersion === 'string';
    return isSame && /^\d+$/.test(resourceVersion) ? resourceVersion : undefined;
  } catch {
    return undefined;
  }
}
