/** A CustomResourceDefinition as somebody wrote it: only its metadata is known to have the right form. */
export interface UncheckedDefinition {
  readonly metadata: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
}
