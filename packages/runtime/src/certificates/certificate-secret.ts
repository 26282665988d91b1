import type { KubeObject } from '@kubewright/api';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { maskText } from '@kubewright/api/secrets';
import { objectAnswerOf } from '../transport/answer/object-answer.js';
import type { RequestOptions } from '../transport/request/request-options.js';
import { resourcePath } from '../transport/request/resource-path.js';
import { type CertificateState, type ParsedState, parseState, stateData } from './certificate-state.js';
import type { ServerTime } from './server-time.js';

/** An annotation on the Secret with webhook certificates. The value is the base name of the operator that manages the Secret. */
export const CERTIFICATES_ANNOTATION = 'kubewright.dev/certificates-of';

/** Sends requests to the API server. `Transport` implements this interface. */
export interface CertificatesTransport {
  request<T>(options: RequestOptions): Promise<T>;
}

export interface CertificateSecretOptions {
  readonly transport: CertificatesTransport;
  readonly name: string;
  readonly namespace: string;
  /** The base name of the operator, which the annotation of the Secret contains. */
  readonly operator: string;
  readonly time: ServerTime;
}

/** A Secret that the operator manages, and its content. */
export interface FoundSecret extends ParsedState {
  readonly object: SecretObject;
}
interface SecretObject extends KubeObject {
  readonly data?: unknown;
}

export const SECRETS = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
} as const;

/** The time limit of each request. A request without a response must not block renewals. */
export const REQUEST_TIMEOUT = '15s';

/**
 * The Secret that stores the certificates. The replicas do not need a leader: the API server accepts only one of several concurrent writes,
 * and the other replicas read its result.
 */
export class CertificateSecret {
  readonly #options: CertificateSecretOptions;
  readonly #what: string;

  constructor(options: CertificateSecretOptions) {
    this.#options = options;
    this.#what = `secret ${options.namespace}/${options.name}`;
  }

  /**
   * Returns the current Secret, or undefined if the Secret does not exist. Rejects with FOREIGN_SECRET if the annotation of the Secret does
   * not name this operator.
   */
  async read(signal: AbortSignal): Promise<FoundSecret | undefined> {
    try {
      return this.#found(await this.#sent({ method: 'GET', path: this.#path, attempted: `get ${this.#what}`, signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Creates the Secret. Rejects with an error for which `isAlreadyExists` returns true if another replica was faster. */
  async create(state: CertificateState, signal: AbortSignal): Promise<FoundSecret> {
    const { name, namespace, operator } = this.#options;
    const body = {
      apiVersion: SECRETS.apiVersion,
      kind: SECRETS.kind,
      metadata: {
        name,
        namespace,
        labels: { 'app.kubernetes.io/managed-by': 'kubewright' },
        annotations: { [CERTIFICATES_ANNOTATION]: operator },
      },
      type: 'kubernetes.io/tls',
      data: stateData(state),
    };
    const path = resourcePath(SECRETS, { namespace });
    return this.#found(await this.#sent({ method: 'POST', path, body, attempted: `create ${this.#what}`, signal }));
  }

  /**
   * Replaces the certificates in a Secret that was read before. Rejects with an error for which `isConflict` returns true if the Secret has
   * changed since then.
   */
  async update({ object }: FoundSecret, state: CertificateState, signal: AbortSignal): Promise<FoundSecret> {
    const data = { ...(isJsonObject(object.data) && object.data), ...stateData(state) };
    const body = { ...object, data };
    return this.#found(
      await this.#sent({ method: 'PUT', path: this.#path, body, attempted: `update ${this.#what}`, signal }),
    );
  }

  get #path(): string {
    const { name, namespace } = this.#options;
    return resourcePath(SECRETS, { name, namespace });
  }

  async #sent(request: RequestOptions & { readonly attempted: string }): Promise<SecretObject> {
    const { transport, time, name, namespace } = this.#options;
    const answer = await transport.request<unknown>({
      ...request,
      timeout: REQUEST_TIMEOUT,
      onHeaders: (headers) => time.note(headers),
    });
    return objectAnswerOf(answer, { resource: SECRETS, attempted: request.attempted, name, namespace });
  }

  #found(object: SecretObject): FoundSecret {
    this.#checkOwner(object);
    return { object, ...parseState(isJsonObject(object.data) ? object.data : {}) };
  }

  #checkOwner({ metadata }: SecretObject): void {
    const { operator } = this.#options;
    const owner = metadata.annotations?.[CERTIFICATES_ANNOTATION];
    if (owner === operator) return;
    const remedy = 'set webhooks.certificates.secret to another name';
    const why =
      owner === undefined
        ? `it exists without the annotation ${CERTIFICATES_ANNOTATION}, so it was not created by this operator; delete it if it is not needed, or ${remedy}`
        : `it belongs to the operator '${maskText(owner)}'; ${remedy}, or give the operators different names with webhooks.name`;
    throw new KubewrightError('FOREIGN_SECRET', `cannot store the webhook certificates in ${this.#what}: ${why}`);
  }
}
