import { MessageType } from './message-type.js';

interface MessageSetInit {
  /** The folder and the version, such as `core/v1`. */
  readonly path: string;
  readonly uses: Readonly<Record<string, MessageSet>>;
  /** The declarations of the fields by message, as JSON. */
  readonly text: string;
}

/** The protobuf messages of one built-in group-version. The text is parsed on first use. */
export class MessageSet {
  readonly #init: MessageSetInit;
  readonly #types = new Map<string, MessageType>();
  #declarations: Readonly<Record<string, readonly string[]>> | undefined;

  constructor(init: MessageSetInit) {
    this.#init = init;
  }

  /** The names of all messages. */
  get names(): readonly string[] {
    return Object.keys(this.#declared);
  }

  /** Returns the message with this name, such as `PodSpec`. Returns undefined if there is none. Returns the same object for every call. */
  type(name: string): MessageType | undefined {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const declared = Object.hasOwn(this.#declared, name) ? this.#declared[name] : undefined;
    if (declared === undefined) return undefined;
    const type = new MessageType(`${this.#init.path}.${name}`, declared, (reference) => this.#resolve(reference));
    this.#types.set(name, type);
    return type;
  }

  get #declared(): Readonly<Record<string, readonly string[]>> {
    this.#declarations ??= JSON.parse(this.#init.text) as Readonly<Record<string, readonly string[]>>;
    return this.#declarations;
  }

  #resolve(reference: string): MessageType {
    const at = reference.lastIndexOf('.');
    const set = at < 0 ? this : this.#init.uses[reference.slice(0, at)];
    const type = set?.type(reference.slice(at + 1));
    if (type === undefined) throw new TypeError(`${this.#init.path} does not contain the message ${reference}`);
    return type;
  }
}
