import type { Bare } from './default.js';

/** `T` with every field readonly at every depth. Objects from the API server have this type and are frozen at run time. */
export type DeepReadonly<T> = T extends
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | ((...args: never[]) => unknown)
  ? Bare<T>
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [K in keyof Bare<T>]: DeepReadonly<Bare<T>[K]> };

/**
 * The writable form of an object: the argument of the callback of `client.patch`, and the result of `mutable`. Labels, annotations and
 * finalizers are always present.
 */
export type Draft<T> = T extends { readonly metadata: infer Meta }
  ? { -readonly [K in keyof T]: K extends 'metadata' ? DraftMeta<Meta> : Writable<T[K]> } & DraftOf<T>
  : Writable<T>;

declare const draftOf: unique symbol;
/** Records the kind of a draft at compile time only. */
export interface DraftOf<T> {
  readonly [draftOf]?: T;
}

type DraftMeta<M> = Writable<Omit<M, 'labels' | 'annotations' | 'finalizers'>> & {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  finalizers: string[];
};

type Writable<T> = T extends
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | ((...args: never[]) => unknown)
  ? T
  : T extends readonly (infer Item)[]
    ? Writable<Item>[]
    : {
        -readonly [K in keyof T]:
          | Writable<T[K]>
          | (string extends K ? never : {} extends Pick<T, K> ? undefined : never);
      };
