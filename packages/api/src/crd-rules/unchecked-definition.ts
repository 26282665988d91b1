/** A CustomResourceDefinition from a request. Only the form of its metadata is known to be valid. */
export interface UncheckedDefinition {
  readonly metadata: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}
