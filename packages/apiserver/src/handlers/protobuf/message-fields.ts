import { readProtobufFields } from '../../registry/cluster-data.js';

/** What a field of a message is: a field of the object's JSON, or a struct whose fields stand in the object itself. */
export type MessageField =
  | { readonly name: string; readonly embeds?: undefined }
  | { readonly embeds: string; readonly name?: undefined };

/** The numbers of the fields of the built-in kinds, read from the data when first asked for. */
export class MessageFields {
  readonly #fields = new Map<string, ReadonlyMap<number, MessageField>>();
  #declared: Readonly<Record<string, string>> | undefined;

  /** The fields of a struct by their numbers. */
  of(struct: string): ReadonlyMap<number, MessageField> {
    const known = this.#fields.get(struct);
    if (known !== undefined) return known;
    this.#declared ??= readProtobufFields();
    const fields = new Map((this.#declared[struct] ?? '').split(' ').map(fieldOf));
    this.#fields.set(struct, fields);
    return fields;
  }
}

/** Reads `1:name`, and `2:>folder/version.Struct` of a struct that is embedded. */
function fieldOf(text: string): readonly [number, MessageField] {
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  const field = rest.startsWith('>') ? { embeds: rest.slice(1) } : { name: rest };
  return [Number(text.slice(0, colon)), field];
}
