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

/** The symbol under which all versions of pino store serializers. */
const SERIALIZERS = Symbol.for('pino.serializers');

/** The state that all loggers of a pino instance share. */
interface Shared {
  readonly root: PinoInstance;
  /** The method of the instance for each level. The methods have other names if the instance has custom levels. */
  readonly methods: Readonly<Record<Level, string>>;
  readonly ambient: AmbientFields;
  /** The class of the loggers. Its prototype has a method for each further level of the instance. */
  readonly Own: typeof GivenPinoLogger;
}

/**
 * Writes log lines to a pino instance of the program. `with` and `child` create a child of the instance. Each level of the instance is also
 * a method that takes a message and fields; `withLevelsOf` adds these methods to the type.
 *
 * Secrets are masked. Serializers of the instance receive strings, errors and Kubernetes objects as masked copies, and all other values
 * unchanged. The field `error` is written under the `errorKey` of the instance.
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

  /** Returns a logger for a pino instance. `ambient` returns additional fields for each line at the time when it is written. */
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
  /** Sets the level. Throws the error of pino if the instance does not have this level. */
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
  /** Same as `with`. Loggers of pino have a method with this name. */
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
    // pino writes an error under its `errorKey` only if the error is passed as the object.
    if (isError) write(childOf(this.#pino(), rest), method)(maskedError(error), text);
    else write(this.#pino(), method)(rest, text);
  }
  /**
   * Returns the child of the instance with the fields of this logger. Sets the level of the child to the level of the instance, because
   * some versions of pino do not do this.
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

/**
 * Returns the value that a serializer receives. A serializer may write all fields of a Kubernetes object, so all fields are included and
 * masked.
 */
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
/**
 * Returns the method of the instance for each level: the level with the same name, or otherwise the lowest level that is at least as high.
 * If there is none, the highest level.
 */
function methodsOf({ levels: { values } }: PinoInstance): Shared['methods'] {
  const ordered = Object.entries(values).toSorted(([, one], [, other]) => one - other);
  const methodOf = (level: Level): string =>
    Object.hasOwn(values, level)
      ? level
      : ((ordered.find(([, value]) => value >= LEVELS[level]) ?? ordered.at(-1))?.[0] ?? level);
  return { debug: methodOf('debug'), info: methodOf('info'), warn: methodOf('warn'), error: methodOf('error') };
}
