/** Returns a field of the given number in the wire format of protobuf. */
export function field(number: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Returns an integer in the wire format of protobuf. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Returns the protobuf body of an object with the given apiVersion, kind and message. */
export function protobufBody(apiVersion: string, kind: string, message: Uint8Array): Buffer {
  const type = Buffer.concat([field(1, apiVersion), field(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, message)]);
}

/** Returns a JSONSchemaProps with `levels` schemas, each nested in the `not` field of the schema around it. */
export function nestedSchema(levels: number): Buffer {
  const heads: Buffer[] = [];
  let length = 0;
  for (let level = 1; level < levels; level += 1) {
    // The field `not` of JSONSchemaProps has the number 28.
    const head = Buffer.concat([varint(28 * 8 + 2), varint(length)]);
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat(heads.toReversed());
}

/** Returns the protobuf body of a CustomResourceDefinition with the given schema. */
export function definitionBody(schema: Uint8Array): Buffer {
  const spec = field(7, Buffer.concat([field(1, 'v1'), field(4, field(1, schema))]));
  const message = Buffer.concat([field(1, field(1, 'as.example.com')), field(2, spec)]);
  return protobufBody('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message);
}
