/** A column of the table that `kubectl get` shows. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** The priority of the column. kubectl always shows columns with priority 0, and shows other columns only with `-o wide`. */
  readonly priority: number;
}
