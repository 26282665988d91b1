const varint = 0;
const fixed64 = 1;
const bytes = 2;

/**
 * Writes one message of Protocol Buffers, field by field. Unset values and zero values are omitted. The message is a string with one
 * character for each byte, because joining strings is much faster than joining many small buffers.
 */
export class ProtoMessage {
  #written = '';

  text(field: number, value: unknown): this {
    return typeof value === 'string' && value !== '' ? this.#add(field, utf8(value)) : this;
  }

  texts(field: number, values: unknown): this {
    if (Array.isArray(values)) for (const value of values) this.#add(field, utf8(String(value)));
    return this;
  }

  flag(field: number, value: unknown): this {
    if (value === true) this.#written += `${tag(field, varint)}\u0001`;
    return this;
  }

  /** Writes an integer that is not negative. */
  whole(field: number, value: unknown): this {
    if (typeof value === 'number' && value > 0) this.#written += tag(field, varint) + varintOf(value);
    return this;
  }

  double(field: number, value: unknown): this {
    if (typeof value !== 'number' || value === 0) return this;
    const written = Buffer.alloc(8);
    written.writeDoubleLE(value);
    this.#written += tag(field, fixed64) + written.toString('latin1');
    return this;
  }

  message(field: number, message: ProtoMessage | undefined): this {
    return message === undefined ? this : this.#add(field, message.#written);
  }

  messages(field: number, messages: readonly ProtoMessage[]): this {
    for (const message of messages) this.message(field, message);
    return this;
  }

  /** Writes a message that is already encoded. */
  bytes(field: number, content: Uint8Array): this {
    return this.#add(field, Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1'));
  }

  encoded(): Buffer {
    return Buffer.from(this.#written, 'latin1');
  }

  #add(field: number, content: string): this {
    this.#written += tag(field, bytes) + varintOf(content.length) + content;
    return this;
  }
}

/** Returns the UTF-8 bytes of a text as a string with one character for each byte. */
function utf8(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function tag(field: number, type: number): string {
  return varintOf(field * 8 + type);
}

function varintOf(value: number): string {
  let written = '';
  let rest = value;
  while (rest > 127) {
    written += String.fromCharCode((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return written + String.fromCharCode(rest);
}
