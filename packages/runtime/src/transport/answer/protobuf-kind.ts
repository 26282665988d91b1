import type { Logger } from '../../log/logger.js';
import type { ResourceInfo } from '../request/resource-path.js';
import type { ProtobufReader, ProtobufReaderOptions } from './protobuf-reader.js';

const TYPE = 'application/vnd.kubernetes.protobuf';

export interface ProtobufKindOptions extends ProtobufReaderOptions {
  readonly resource: Pick<ResourceInfo, 'apiVersion' | 'kind' | 'builtIn'>;
  readonly logger: Logger;
}

/**
 * Reads the protobuf responses for a built-in kind. Imports the decoder and the messages of the kind before the first request, so that
 * programs that use only custom resources do not load them.
 */
export class ProtobufKind {
  /** The reader. Undefined until the reader is loaded, and if the kind must be requested as JSON. */
  loaded: ProtobufReader | undefined;
  readonly #options: ProtobufKindOptions;
  #reader: Promise<ProtobufReader | undefined> | undefined;
  #isOff: boolean;

  constructor(options: ProtobufKindOptions) {
    this.#options = options;
    this.#isOff = options.resource.builtIn !== true;
  }

  /** Loads the reader. Returns undefined if the kind must be requested as JSON. */
  reader(): Promise<ProtobufReader | undefined> | undefined {
    if (this.#isOff) return undefined;
    this.#reader ??= this.#load();
    return this.#reader;
  }

  /**
   * Requests the kind as JSON from now on, because the server has sent a message that this version cannot convert to complete JSON. A newer
   * server can send fields that this version does not know. In JSON, no field is lost.
   */
  turnOff(error: unknown): void {
    if (this.#isOff) return;
    this.#isOff = true;
    this.loaded = undefined;
    const { resource, logger } = this.#options;
    logger.info(
      'requesting JSON instead of protobuf, because the API server is newer than this version of Kubewright',
      {
        kind: resource.kind,
        apiVersion: resource.apiVersion,
        error,
      },
    );
  }

  async #load(): Promise<ProtobufReader | undefined> {
    const { ProtobufReader } = await import('./protobuf-reader.js');
    const reader = await ProtobufReader.of(this.#options);
    if (reader === undefined) this.#isOff = true;
    this.loaded = reader;
    return reader;
  }
}

/** Returns an `accept` header that prefers protobuf to the given JSON type. */
export function protobufOr(json = 'application/json'): string {
  return `${json.replace('application/json', TYPE)},${json}`;
}

/** Whether a response with this content type is protobuf. */
export function isProtobufType(contentType: string): boolean {
  return contentType.toLowerCase().startsWith(TYPE);
}

/** Whether a response was valid, but cannot be converted to complete JSON. The caller then requests JSON. */
export function isUnsupportedProtobuf(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnsupportedProtobufError';
}

/** Whether a response was not valid protobuf. */
export function isMalformedProtobuf(error: unknown): boolean {
  return error instanceof Error && error.name === 'MalformedProtobufError';
}
