type Options = Readonly<Record<string, unknown>>;

/** What is at the path of nested options, such as 'backoff.max'; undefined where there is nothing. */
export function optionAt(options: object, path: string): unknown {
  let at: unknown = options;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Options)[name];
  }
  return at;
}

/** The options with another value at the path. What is on the way and is no object is replaced by one. */
export function withOption<T extends object>(options: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  const inner: unknown = (options as Options)[name];
  const within = typeof inner === 'object' && inner !== null ? inner : {};
  return { ...options, [name]: rest.length === 0 ? value : withOption(within, rest.join('.'), value) };
}
