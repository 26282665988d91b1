import type { MessageSet, MessageType, ProtobufEncoder, TypeMeta } from '@kubewright/api/protobuf';
import type { ClusterData } from '../../registry/cluster-data/cluster-data.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import type { ListBody } from '../answers/answer.js';

/** The group-version of Status, of partial metadata and of the metadata of lists. */
const metaVersion = 'meta.k8s.io/v1';

/**
 * Writes objects, lists and watch events as protobuf, with the same bytes as kube-apiserver. The messages of a group-version must be loaded
 * before. A server without protobuf clients does not load them.
 */
export class ProtobufWriter {
  readonly #data: Pick<ClusterData, 'messages'>;
  #loaded: ProtobufEncoder | undefined;
  readonly #sets = new Map<string, MessageSet>();

  /** @param data the data of the server's Kubernetes version */
  constructor(data: Pick<ClusterData, 'messages'>) {
    this.#data = data;
  }

  /** Imports the messages of a group-version, and the messages that the responses of all group-versions contain. */
  async load(apiVersion: string): Promise<void> {
    const { ProtobufEncoder } = await import('@kubewright/api/protobuf');
    this.#loaded ??= new ProtobufEncoder();
    for (const each of [metaVersion, apiVersion]) {
      if (this.#sets.has(each)) continue;
      const set = await this.#data.messages(each);
      if (set !== undefined) this.#sets.set(each, set);
    }
  }

  /** Returns an object in its envelope. Throws a RangeError if the kind has no loaded message. */
  object(object: JsonObject): Buffer {
    const type = typeMetaOf(object);
    return this.#encoder.enveloped(this.#encoder.message(this.#messageOf(type), object), type);
  }

  /** Writes a list in pieces: one piece for each item, and one before the items, because the length precedes them. */
  *listPieces({ head, values, value: valueOf }: ListBody): Generator<Buffer, undefined> {
    const list = typeMetaOf(head as JsonObject);
    const item = this.#messageOf({ ...list, kind: list.kind.replace(/List$/, '') });
    const { metadata } = head as { readonly metadata: JsonObject };
    const encoder = this.#encoder;
    const first = encoder.field(1, encoder.message(this.#metaMessage('ListMeta'), metadata));
    const items = [first];
    let length = first.length;
    for (const value of values) {
      const bytes = encoder.field(2, encoder.message(item, valueOf(value) as JsonObject));
      items.push(bytes);
      length += bytes.length;
      // An empty piece lets the server handle other requests.
      yield Buffer.of();
    }
    const { start, end } = encoder.envelope(length, list);
    yield start;
    for (const bytes of items) yield bytes;
    yield end;
    return undefined;
  }

  /** Returns a watch event, preceded by its length. */
  event(type: string, object: object): Buffer {
    return this.#encoder.event(type, this.object(object as JsonObject));
  }

  get #encoder(): ProtobufEncoder {
    if (this.#loaded === undefined) throw new RangeError('the protobuf messages are not loaded');
    return this.#loaded;
  }

  #messageOf({ apiVersion, kind }: TypeMeta): MessageType {
    return this.#sets.get(apiVersion)?.type(kind) ?? this.#metaMessage(kind);
  }

  #metaMessage(kind: string): MessageType {
    const message = this.#sets.get(metaVersion)?.type(kind);
    if (message === undefined) throw new RangeError(`the kind ${kind} has no protobuf message`);
    return message;
  }
}

function typeMetaOf({ apiVersion, kind }: JsonObject): TypeMeta {
  // The versions of the core group have no apiVersion.
  return { apiVersion: String(apiVersion ?? ''), kind: String(kind) };
}
