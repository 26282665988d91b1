import type { KubeObject } from '@kubewright/api';

/** An object of @kubernetes/client-node, such as a `V1Pod`. All fields are optional, and times are `Date` objects. */
export interface ClientNodeModel {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly creationTimestamp?: Date };
}

/**
 * Restricts a parameter to models of client-node. This type is `unknown` for a type whose `creationTimestamp` is a `Date`, and `never` for
 * any other type, such as the types of Kubewright. `M & OnlyModel<M>` therefore accepts models of client-node, but no other object with
 * only optional fields.
 */
export type OnlyModel<M> = 0 extends 1 & M ? never : HasDate<TimestampOf<M>>;

/** A model of client-node as the API server returns it: times are strings, and fields have their JSON names. */
export type FromModel<M extends ClientNodeModel> = KubeObject &
  Omit<OnWire<M> & object, 'apiVersion' | 'kind' | 'metadata'>;

/** Applies `OnlyModel` to each element of a list. */
export type OnlyModels<C extends readonly unknown[]> = { readonly [I in keyof C]: OnlyModel<C[I]> };
/** Applies `FromModel` to each element of a list. */
export type FromModels<C extends readonly ClientNodeModel[]> = { readonly [I in keyof C]: FromModel<C[I]> };

type TimestampOf<M> = M extends { readonly metadata?: infer Meta }
  ? 'creationTimestamp' extends keyof NonNullable<Meta>
    ? NonNullable<NonNullable<Meta>['creationTimestamp']>
    : never
  : never;
type HasDate<Timestamp> = [Timestamp] extends [never] ? never : [Timestamp] extends [Date] ? unknown : never;

type OnWire<T> = T extends Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly OnWire<Item>[]
      : { readonly [K in keyof T as WireName<K>]: OnWire<T[K]> };
/** The JSON name of a model field. For example, `_from` becomes `from`, and `x_kubernetes_list_type` becomes `x-kubernetes-list-type`. */
type WireName<K> = K extends `_${infer Name}` ? Name : K extends `x_kubernetes_${string}` ? Hyphenated<K> : K;
type Hyphenated<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Hyphenated<Rest>}`
  : Name;
