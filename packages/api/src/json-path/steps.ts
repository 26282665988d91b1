/** What a JSONPath does with the values it has come to, step by step. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  /** The value itself and everything below it. */
  | { readonly kind: 'descend' }
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number; readonly every: number }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'union'; readonly steps: readonly PathStep[] }
  | { readonly kind: 'filter'; readonly test: FilterTest };

/** `[?(left operator right)]`, or `[?(left)]` which asks whether there is such a value. */
export interface FilterTest {
  readonly left: FilterOperand;
  readonly comparison?: { readonly operator: FilterOperator; readonly right: FilterOperand };
}
export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A literal, or a path from the item (`@`) or from the whole object (`$`). */
export type FilterOperand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'path'; readonly from: 'item' | 'root'; readonly steps: readonly PathStep[] };
