/**
 * Checks the path of a print column, a selectable field or a scale setting at compile time. Only simple paths (`.spec.a.b`) are checked. A
 * path of type `string` and a path below an `unknown` field are not checked.
 */
export type PathCheck<T, P extends string> = string extends P
  ? unknown
  : P extends `.${infer Rest}`
    ? Walk<T, Rest, P>
    : `'${P}' must start with a dot`;
type Walk<T, R extends string, P extends string> = string extends R
  ? unknown
  : R extends `${string}[${string}` | `${string}\\${string}`
    ? unknown
    : R extends `${infer Head}.${infer Tail}`
      ? Step<T, Head, P> extends infer Next
        ? Next extends [infer U]
          ? Walk<U, Tail, P>
          : Next
        : never
      : Step<T, R, P> extends infer Last
        ? Last extends [unknown]
          ? unknown
          : Last
        : never;
type Step<T, H extends string, P extends string> = unknown extends T
  ? [unknown]
  : H extends keyof NonNullable<T>
    ? [NonNullable<T>[H]]
    : string extends keyof NonNullable<T>
      ? [unknown]
      : `no field '${H}' in the path '${P}'`;
