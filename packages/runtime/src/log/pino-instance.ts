/**
 * The members of a pino logger that Kubewright uses. Every logger that `pino()` or `child()` returns has them, in every version and with
 * any levels.
 */
export interface PinoInstance {
  /** The name of the level. */
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
