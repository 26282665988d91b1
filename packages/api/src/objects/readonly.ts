import type { Bare } from './default.js';

/** What cannot be written to, all the way down. Every object that the API server gave is one, and frozen at run time. */
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

/** The writable form of an object inside `client.patch`, or what `mutable` returns. Maps and lists of metadata are always there to write to. */
export type Draft<T> = T extends { readonly metadata: infer Meta }
  ? { -readonly [K in keyof T]: K extends 'metadata' ? DraftMeta<Meta> : Writable<T[K]> } & DraftOf<T>
  : Writable<T>;

declare const draftOf: unique symbol;
/** Of which kind a draft is; known to the compiler alone. */
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
