import type { Readable } from 'node:stream';
import {
  EnvelopeReader,
  loadMessages,
  type MessageType,
  ProtobufDecoder,
  ProtobufEncoder,
  type TypeMeta,
  WireCursor,
} from '@kubewright/api/protobuf';

/** The media type of protobuf. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const META = 'meta.k8s.io/v1';
const encoder = new ProtobufEncoder();
const decoder = new ProtobufDecoder();

/** Returns the protobuf body of an object of a built-in kind. */
export async function protobufOf(object: object): Promise<Buffer> {
  const { apiVersion, kind } = object as TypeMeta;
  const type = await messageOf({ apiVersion, kind });
  return encoder.enveloped(encoder.message(type, object as never), { apiVersion, kind });
}

/** Returns the JSON of an object or list in protobuf. The items of a list are decoded by the kind of the list. */
export async function fromProtobuf(bytes: Buffer): Promise<object> {
  const { apiVersion, kind, start, end } = new EnvelopeReader().read(bytes);
  const known = await findMessage({ apiVersion, kind });
  if (known !== undefined) return { apiVersion, kind, ...decoder.object(known, { bytes, start, end }) };
  const item = await messageOf({ apiVersion, kind: kind.replace(/List$/, '') });
  const listMeta = await messageOf({ apiVersion: META, kind: 'ListMeta' });
  const items: object[] = [];
  let metadata: object = {};
  for (const field of fieldsOf(bytes, start, end)) {
    const object = decoder.object(field.number === 1 ? listMeta : item, { bytes, ...field });
    if (field.number === 1) metadata = object;
    else items.push(object);
  }
  return { apiVersion, kind, metadata, items };
}

/** Yields the watch events of a stream of protobuf frames. */
export async function* protobufEvents(
  stream: Readable,
): AsyncGenerator<{ readonly type: string; readonly object: object }> {
  let rest = Buffer.of();
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const length = rest.readUInt32BE();
      const frame = Buffer.from(rest.subarray(4, 4 + length));
      rest = rest.subarray(4 + length);
      const { type } = new EnvelopeReader().event(frame);
      const [extension] = fieldsOf(frame, 0, frame.length).filter(({ number }) => number === 2);
      const [raw] = fieldsOf(frame, extension?.start ?? 0, extension?.end ?? 0);
      yield { type, object: await fromProtobuf(Buffer.from(frame.subarray(raw?.start, raw?.end))) };
    }
  }
}

async function messageOf(type: TypeMeta): Promise<MessageType> {
  const found = await findMessage(type);
  if (found === undefined) throw new Error(`${type.apiVersion} ${type.kind} has no protobuf message`);
  return found;
}

async function findMessage({ apiVersion, kind }: TypeMeta): Promise<MessageType | undefined> {
  return (await loadMessages(apiVersion))?.type(kind) ?? (await loadMessages(META))?.type(kind);
}

/** Returns the length-delimited fields of a message. */
function fieldsOf(bytes: Buffer, start: number, end: number): { number: number; start: number; end: number }[] {
  const cursor = new WireCursor();
  cursor.bytes = bytes;
  cursor.at = start;
  const fields: { number: number; start: number; end: number }[] = [];
  while (cursor.at < end) {
    const number = cursor.tag(end) >>> 3;
    const to = cursor.extent(end);
    fields.push({ number, start: cursor.at, end: to });
    cursor.at = to;
  }
  return fields;
}
