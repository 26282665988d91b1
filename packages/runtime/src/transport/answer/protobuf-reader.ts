import type { JsonObject } from '@kubewright/api/json';
import {
  type Envelope,
  EnvelopeReader,
  loadMessages,
  type MessageType,
  ProtobufDecoder,
  SharedMessages,
  type TypeMeta,
} from '@kubewright/api/protobuf';
import { type ListedType, type ListReader, ProtobufListFrames } from './protobuf-list-frames.js';

/** The group-version of the messages that responses for all kinds contain. */
const META = 'meta.k8s.io/v1';
const PARTIAL = 'PartialObjectMetadata';

export interface ProtobufReaderOptions {
  readonly resource: TypeMeta;
  /** Whether objects share equal values, and are then frozen except for the object itself. */
  readonly shareValues: boolean;
  readonly keepManagedFields: boolean;
}

/** The values that the objects of all kinds share. */
const shared = new SharedMessages();

/** Reads the protobuf responses for one built-in kind: objects, lists and watch events of the kind, their metadata, and Status objects. */
export class ProtobufReader implements ListReader {
  /** The number of bytes of the last object, without skipped bytes. */
  parsedBytes = 0;
  readonly #typeMeta: TypeMeta;
  readonly #type: MessageType;
  readonly #types: Readonly<Record<'ListMeta' | 'PartialObjectMetadata' | 'Status', MessageType>>;
  readonly #decoder: ProtobufDecoder;
  readonly #envelopes = new EnvelopeReader();

  private constructor(
    { resource: { apiVersion, kind }, shareValues, keepManagedFields }: ProtobufReaderOptions,
    type: MessageType,
    types: Readonly<Record<'ListMeta' | 'PartialObjectMetadata' | 'Status', MessageType>>,
  ) {
    this.#typeMeta = { apiVersion, kind };
    this.#type = type;
    this.#types = types;
    this.#decoder = new ProtobufDecoder({ shared: shareValues ? shared : undefined, keepManagedFields });
  }

  /** Imports the messages of a kind. Resolves with undefined for a kind without messages. */
  static async of(options: ProtobufReaderOptions): Promise<ProtobufReader | undefined> {
    const { apiVersion, kind } = options.resource;
    const [own, meta] = await Promise.all([loadMessages(apiVersion), loadMessages(META)]);
    const type = own?.type(kind);
    const [ListMeta, PartialObjectMetadata, Status] = ['ListMeta', PARTIAL, 'Status'].map((name) => meta?.type(name));
    if (!type || !ListMeta || !PartialObjectMetadata || !Status) return undefined;
    return new ProtobufReader(options, type, { ListMeta, PartialObjectMetadata, Status });
  }

  /** Returns the JSON of a response: an object, a list or a Status. */
  readonly decode = (bytes: Buffer): JsonObject => {
    const envelope = this.#envelopes.read(bytes);
    if (this.listed(envelope) === undefined) return this.#object(bytes, envelope);
    const frames = this.listFrames('decode a list');
    const items = [...frames.push(bytes), ...frames.end()].map(({ value }) => value);
    return { ...frames.envelope(), items };
  };

  /** Returns the JSON of a watch event. */
  event(frame: Buffer): JsonObject {
    const { type, envelope } = this.#envelopes.event(frame);
    return { type, object: this.#object(frame, envelope) };
  }

  /** Splits the bytes of a list. `attempted` is a description of the request for messages. */
  listFrames(attempted: string): ProtobufListFrames {
    return new ProtobufListFrames(this, attempted);
  }

  /** Returns the type of the items of a list. Returns undefined if the message is neither a list of the kind nor a list of metadata. */
  listed({ apiVersion, kind }: TypeMeta): ListedType | undefined {
    const { apiVersion: own, kind: item } = this.#typeMeta;
    if (kind === `${item}List` && apiVersion === own) return { type: this.#type, typeMeta: this.#typeMeta };
    return kind === `${PARTIAL}List` ? { type: this.#types.PartialObjectMetadata, typeMeta: undefined } : undefined;
  }

  /** Returns the apiVersion and the kind of a list. */
  typeMeta(bytes: Buffer, start: number, end: number): TypeMeta {
    return this.#envelopes.typeMeta(bytes, start, end);
  }

  /** Returns the metadata of a list. */
  listMeta(bytes: Buffer, start: number, end: number): JsonObject {
    return this.#decoder.object(this.#types.ListMeta, { bytes, start, end });
  }

  /** Returns the JSON of an item of a list. */
  item({ type, typeMeta }: ListedType, bytes: Buffer, { start, end }: Pick<Envelope, 'start' | 'end'>): JsonObject {
    const object = this.#decoder.object(type, { bytes, start, end }, typeMeta);
    this.parsedBytes = end - start - this.#decoder.skippedBytes;
    return object;
  }

  /** Returns the JSON of an object. For an object of another kind, the JSON contains only the apiVersion and the kind. */
  #object(bytes: Buffer, { apiVersion, kind, start, end }: Envelope): JsonObject {
    const type = this.#typeOf(apiVersion, kind);
    return type === undefined
      ? { apiVersion, kind }
      : this.item({ type, typeMeta: { apiVersion, kind } }, bytes, { start, end });
  }

  #typeOf(apiVersion: string, kind: string): MessageType | undefined {
    if (kind === this.#typeMeta.kind && apiVersion === this.#typeMeta.apiVersion) return this.#type;
    if (kind === 'Status' && apiVersion === 'v1') return this.#types.Status;
    return kind === PARTIAL ? this.#types.PartialObjectMetadata : undefined;
  }
}
