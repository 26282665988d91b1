type Options = Readonly<Record<string, unknown>>;

/** Returns the value at a path of nested options, such as 'backoff.max'. Returns undefined if there is no value. */
export function optionAt(options: object, path: string): unknown {
  let at: unknown = options;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Options)[name];
  }
  return at;
}

/**
 * Returns a copy of the options with the value at the path. If a value along the path is not an object, replaces the value with an object.
 */
export function withOption<T extends object>(options: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  const inner: unknown = (options as Options)[name];
  const within = typeof inner === 'object' && inner !== null ? inner : {};
  return { ...options, [name]: rest.length === 0 ? value : withOption(within, rest.join('.'), value) };
}
