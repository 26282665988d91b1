import type { AmbientFields, LineFields } from './line-fields.js';
import type { LeveledLogger } from './leveled-logger.js';
import { Logger } from './logger.js';
import { maskSecrets } from './mask-secrets.js';
import { loggedObject } from './logged-object.js';
import { maskedError } from './masked-error.js';
import { maskedObject } from './masked-object.js';
import type { PinoInstance } from './pino-instance.js';

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;
type Level = keyof typeof LEVELS;
type Write = (fields: object, message: string) => void;

/** All versions of pino share this symbol. */
const SERIALIZERS = Symbol.for('pino.serializers');

/** The state that all loggers of one pino instance share. */
interface Shared {
  readonly root: PinoInstance;
  /** The method of the instance for each level. Custom levels may have other names. */
  readonly methods: Readonly<Record<Level, string>>;
  readonly ambient: AmbientFields;
  /** The class of the logger and its children, whose prototype has the other levels of the instance as methods. */
  readonly Own: typeof GivenPinoLogger;
}

/**
 * Logs through a pino instance of the program. `with` and `child` create a child of the instance. Every level of the instance is also a
 * method that takes a message and fields; `withLevelsOf` adds these methods to the type. Secrets are masked. A serializer of the
 * instance receives strings, errors and Kubernetes objects as masked copies, and other values unchanged. The field `error` becomes the
 * error of the line, under the instance's `errorKey`.
 */
export class GivenPinoLogger extends Logger implements LeveledLogger {
  readonly #shared: Shared;
  readonly #fields: LineFields;
  #child: PinoInstance | undefined;

  private constructor(shared: Shared, fields: LineFields) {
    super();
    this.#shared = shared;
    this.#fields = fields;
  }

  /** Wraps an instance. `ambient` returns the fields that each line receives when it is written. */
  static of(root: PinoInstance, ambient: AmbientFields = () => undefined): GivenPinoLogger {
    class Own extends GivenPinoLogger {}
    for (const level of Object.keys(root.levels.values)) {
      if (level in GivenPinoLogger.prototype) continue;
      const value = function (this: Own, message: string, fields?: LineFields): void {
        this.#log(level, message, fields);
      };
      Object.defineProperty(Own.prototype, level, { value });
    }
    return new Own({ root, methods: methodsOf(root), ambient, Own }, {});
  }

  get level(): string {
    return this.#shared.root.level;
  }
  /** Sets the level. Throws the error of pino for a level that the instance does not have. */
  set level(level: string) {
    this.#shared.root.level = level;
  }

  override debug(message: string, fields?: LineFields): void {
    this.#log(this.#shared.methods.debug, message, fields);
  }
  override info(message: string, fields?: LineFields): void {
    this.#log(this.#shared.methods.info, message, fields);
  }
  override warn(message: string, fields?: LineFields): void {
    this.#log(this.#shared.methods.warn, message, fields);
  }
  override error(message: string, fields?: LineFields): void {
    this.#log(this.#shared.methods.error, message, fields);
  }
  override with(fields: LineFields): GivenPinoLogger {
    return new this.#shared.Own(this.#shared, { ...this.#fields, ...fields });
  }
  /** Does the same as `with`, under the name that pino uses. */
  child(fields: LineFields): GivenPinoLogger {
    return this.with(fields);
  }

  #log(method: string, message: string, fields: LineFields = {}): void {
    const { root, ambient } = this.#shared;
    if (!root.isLevelEnabled(method)) return;
    const { error, ...others } = fields;
    const isError = error instanceof Error;
    const rest = this.#masked({ ...ambient(), ...(isError ? others : fields) });
    const text = String(maskSecrets(message));
    // pino applies its own errorKey to an error that is passed as the only value.
    if (isError) write(childOf(this.#pino(), rest), method)(maskedError(error), text);
    else write(this.#pino(), method)(rest, text);
  }
  /**
   * Returns the child with the fields of this logger. Some versions of pino set a separate level on a child, so the child's level follows
   * the root.
   */
  #pino(): PinoInstance {
    const { root } = this.#shared;
    this.#child ??= Object.keys(this.#fields).length === 0 ? root : childOf(root, this.#masked(this.#fields));
    if (this.#child.level !== root.level) this.#child.level = root.level;
    return this.#child;
  }
  #masked(fields: LineFields): Record<string, unknown> {
    const { [SERIALIZERS]: serializers = {} } = this.#shared.root as { readonly [SERIALIZERS]?: object };
    const serialized: Record<string, unknown> = {};
    const others: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (!(name in serializers)) others[name] = value;
      else serialized[name] = forSerializer(value);
    }
    return { ...(maskSecrets(others) as object), ...serialized };
  }
}

/** Returns a value for a serializer. A serializer receives Kubernetes objects with all fields, and may write all of them. */
function forSerializer(value: unknown): unknown {
  if (value instanceof Error) return maskedError(value);
  if (typeof value === 'string') return maskSecrets(value);
  const isObject = typeof value === 'object' && value !== null && loggedObject(value) !== undefined;
  return isObject ? maskedObject(value) : value;
}
function childOf(pino: PinoInstance, fields: Record<string, unknown>): PinoInstance {
  return pino.child(fields) as PinoInstance;
}
function write(pino: PinoInstance, method: string): Write {
  return (pino as unknown as Record<string, Write>)[method]!.bind(pino);
}
/** Returns the level of the same name, or the lowest level that is at least as high, for each level. */
function methodsOf({ levels: { values } }: PinoInstance): Shared['methods'] {
  const ordered = Object.entries(values).toSorted(([, one], [, other]) => one - other);
  const methodOf = (level: Level): string =>
    Object.hasOwn(values, level)
      ? level
      : ((ordered.find(([, value]) => value >= LEVELS[level]) ?? ordered.at(-1))?.[0] ?? level);
  return { debug: methodOf('debug'), info: methodOf('info'), warn: methodOf('warn'), error: methodOf('error') };
}
