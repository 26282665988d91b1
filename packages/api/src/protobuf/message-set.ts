import { MessageType } from './message-type.js';

interface MessageSetInit {
  /** The folder and the version, such as `core/v1`. */
  readonly path: string;
  readonly uses: Readonly<Record<string, MessageSet>>;
  /** The declarations of the fields by message, as JSON. */
  readonly text: string;
}

/** The declarations of the fields by message. */
export type MessageDeclarations = Readonly<Record<string, readonly string[]>>;
/** How the messages of another Kubernetes version differ. */
interface MessageSetChange {
  readonly change: (declared: MessageDeclarations) => MessageDeclarations;
  /** Returns the messages of the other version by their path, such as `core/v1`. */
  readonly find: (path: string) => MessageSet | undefined;
}

/** The protobuf messages of one built-in group-version. The text is parsed on first use. */
export class MessageSet {
  readonly #init: MessageSetInit;
  readonly #changed: MessageSetChange | undefined;
  readonly #types = new Map<string, MessageType>();
  #declarations: MessageDeclarations | undefined;

  constructor(init: MessageSetInit, changed?: MessageSetChange) {
    this.#init = init;
    this.#changed = changed;
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

  /** Returns the messages of another Kubernetes version. `change` and `find` are called when a message is first used. */
  changedBy(change: MessageSetChange['change'], find: MessageSetChange['find']): MessageSet {
    return new MessageSet(this.#init, { change, find });
  }

  get #declared(): MessageDeclarations {
    if (this.#declarations === undefined) {
      const own = JSON.parse(this.#init.text) as MessageDeclarations;
      this.#declarations = this.#changed?.change(own) ?? own;
    }
    return this.#declarations;
  }

  #resolve(reference: string): MessageType {
    const at = reference.lastIndexOf('.');
    const set = at < 0 ? this : this.#used(reference.slice(0, at));
    const type = set?.type(reference.slice(at + 1));
    if (type === undefined) throw new TypeError(`${this.#init.path} does not contain the message ${reference}`);
    return type;
  }

  #used(path: string): MessageSet | undefined {
    return this.#changed === undefined ? this.#init.uses[path] : this.#changed.find(path);
  }
}
