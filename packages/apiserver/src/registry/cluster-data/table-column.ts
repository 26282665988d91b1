/** A column of the table that `kubectl get` shows. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** The priority of the column. 0 is always shown; larger values only with `-o wide`. */
  readonly priority: number;
}
