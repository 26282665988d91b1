import type { KindRef } from '../objects/kube-object.js';
import { recordMetadata } from '../metadata/reflection.js';
import type { PathCheck } from './path-check.js';

/** Options of `@PrintColumn`. */
export interface PrintColumnOptions<P extends string> {
  readonly name: string;
  readonly jsonPath: P;
  /** The type of the column. @default the type of the field in the schema ('date' for a timestamp), or 'string' if the type is not known */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** The priority of the column. Columns with a priority above 0 are shown only by `-o wide`. @default 0 */
  readonly priority?: number;
}

/**
 * Adds a column to the output of `kubectl get`, in the order of the decorators. An Age column is added at the end if no column has that
 * name and `ageColumn` of `@Kind` is not false.
 */
export function PrintColumn<const P extends string>(
  options: PrintColumnOptions<P>,
): <C extends KindRef>(target: C & PathCheck<InstanceType<C>, P>) => void {
  return (target) =>
    recordMetadata(target, (metadata) => ({
      ...metadata,
      printColumns: [options, ...metadata.printColumns],
    }));
}
