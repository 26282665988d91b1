/** A CustomResourceDefinition from a request, before its validation. Only the types of its metadata are validated. */
export interface UncheckedDefinition {
  readonly metadata: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}
