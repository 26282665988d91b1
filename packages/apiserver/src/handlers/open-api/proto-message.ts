const varint = 0;
const fixed64 = 1;
const bytes = 2;

/** Writes one message of Protocol Buffers, field by field. Values that are unset or their type's zero are left out. */
export class ProtoMessage {
  readonly #parts: Buffer[] = [];

  text(field: number, value: unknown): this {
    return typeof value === 'string' && value !== '' ? this.#bytes(field, Buffer.from(value)) : this;
  }

  texts(field: number, values: unknown): this {
    if (Array.isArray(values)) for (const value of values) this.#bytes(field, Buffer.from(String(value)));
    return this;
  }

  flag(field: number, value: unknown): this {
    if (value === true) this.#parts.push(tag(field, varint), Buffer.from([1]));
    return this;
  }

  /** A whole number that is not negative. */
  whole(field: number, value: unknown): this {
    if (typeof value === 'number' && value > 0) this.#parts.push(tag(field, varint), varintOf(value));
    return this;
  }

  double(field: number, value: unknown): this {
    if (typeof value !== 'number' || value === 0) return this;
    const written = Buffer.alloc(8);
    written.writeDoubleLE(value);
    this.#parts.push(tag(field, fixed64), written);
    return this;
  }

  message(field: number, message: ProtoMessage | undefined): this {
    return message === undefined ? this : this.#bytes(field, message.encoded());
  }

  messages(field: number, messages: readonly ProtoMessage[]): this {
    for (const message of messages) this.message(field, message);
    return this;
  }

  encoded(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #bytes(field: number, value: Buffer): this {
    this.#parts.push(tag(field, bytes), varintOf(value.length), value);
    return this;
  }
}

function tag(field: number, type: number): Buffer {
  return varintOf(field * 8 + type);
}

function varintOf(value: number): Buffer {
  const written: number[] = [];
  let rest = value;
  while (rest > 127) {
    written.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  written.push(rest);
  return Buffer.from(written);
}
