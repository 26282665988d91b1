import type { RuleOptions } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';

/** The options of a field decorator in the generated code. */
export type PlannedOptions = Readonly<Record<string, unknown>>;

/** A value that needs no generated class: a scalar, an enum, an embedded object, any value, or a value with a raw schema. */
export interface LeafPlan {
  readonly form: 'leaf';
  /** The decorator without `Field.`, such as `int32`. */
  readonly decorator: string;
  /** The argument before the options: the members for `Field.enum`, or the schema for `Field.schema`. */
  readonly first?: unknown;
  readonly options: PlannedOptions;
  /** The TypeScript type of the values. */
  readonly type: string;
}
/** An object value with a generated class. */
export interface ObjectPlan {
  readonly form: 'object';
  readonly shape: ClassPlan;
}
/** An object value with an imported built-in type, such as PodSpec. */
export interface PartPlan {
  readonly form: 'part';
  readonly name: string;
  /** The module that exports the type, such as `@kubewright/api/core/v1`. */
  readonly module: string;
}
/** A list, or a map with string keys. */
export interface CollectionPlan {
  readonly form: 'list' | 'map';
  readonly item: ItemPlan;
  readonly options: PlannedOptions;
}
/** A list of standard conditions, declared with `Field.conditions()`. */
export interface ConditionsPlan {
  readonly form: 'conditions';
}
/** A planned value: the value of a field, a list item, or a map. */
export type ValuePlan = LeafPlan | ObjectPlan | PartPlan | CollectionPlan | ConditionsPlan;

/** A planned list item or map value. */
export interface ItemPlan {
  readonly value: ValuePlan;
  /** Options that every field supports, such as description, nullable and default, and the option `rules`. */
  readonly options: PlannedOptions;
}

/** A planned field of a class. */
export interface FieldPlan {
  readonly name: string;
  readonly description: string | undefined;
  readonly value: ValuePlan;
  /** Options that every field supports, such as optional, nullable and default. */
  readonly options: PlannedOptions;
  /** The initializer of the property, which is the default of the field. */
  readonly initialiser?: { readonly value: unknown };
  readonly rules: readonly RuleOptions[];
}

/** A planned class. `classNames` assigns the name later, when all classes of the file are planned. */
export interface ClassPlan {
  /** The field path of the class in PascalCase, with singular words for list items: `Spec`, `Template`, `Container`. */
  readonly words: readonly string[];
  readonly description: string | undefined;
  /** The argument of `@Schema`. */
  readonly keywords: Partial<StructuralSchema>;
  readonly rules: readonly RuleOptions[];
  /** The decorators such as `@ExactlyOneOf`. `count` limits how many of the fields `keys` are set. */
  readonly oneOf: readonly {
    readonly keys: readonly string[];
    readonly count: 'exactly one' | 'at most one' | 'at least one';
  }[];
  readonly fields: readonly FieldPlan[];
}
