/**
 * The members of a pino logger that Kubewright uses. All loggers that `pino()` and `child()` return have these members, regardless of the
 * version and the levels.
 */
export interface PinoInstance {
  /** The name of the minimum level. */
  level: string;
  readonly levels: { readonly values: Readonly<Record<string, number>> };
  isLevelEnabled(level: string): boolean;
  child(bindings: Record<string, unknown>): unknown;
}

/** Whether a value is a pino logger. */
export function isPinoInstance(value: unknown): value is PinoInstance {
  const { child, isLevelEnabled, levels } = (value ?? {}) as Partial<Record<keyof PinoInstance, unknown>>;
  return typeof child === 'function' && typeof isLevelEnabled === 'function' && typeof levels === 'object';
}
