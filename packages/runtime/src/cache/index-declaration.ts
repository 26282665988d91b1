import type { KindRef, KubeObject } from '@kubewright/api';

declare const matched: unique symbol;
/** One value of an index, for `ListOptions.index`. */
export interface IndexMatch<T> {
  readonly [matched]?: (object: T) => void;
  readonly name: string;
  readonly value: string;
}
/** An index: call it with a value to look that value up. */
export interface Index<T extends KubeObject> {
  (value: string): IndexMatch<T>;
  readonly name: string;
}
/** Declares an index. It is there in every controller that lists it under `indexes`; declaring it twice is one index. */
export declare function index<T extends KubeObject>(
  kind: KindRef<T>,
  name: string,
  values: (object: T) => string | readonly string[] | undefined,
): Index<T>;
