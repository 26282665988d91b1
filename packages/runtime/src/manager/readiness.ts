/** The readiness of a component. */
export interface Readiness {
  /** Whether the component is ready now. */
  readonly ready: boolean;
  /** The reasons why the component is not ready, as sentences with the fix. Empty when ready. */
  readonly reasons: readonly string[];
}
