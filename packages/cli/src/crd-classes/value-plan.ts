import type { RuleOptions } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';

/** Options of a field decorator, as they are written in the code. */
export type PlannedOptions = Readonly<Record<string, unknown>>;

/** A decorator of `Field` that needs no class. */
export interface LeafPlan {
  readonly form: 'leaf';
  /** The decorator without `Field.`, such as `int32`. */
  readonly decorator: string;
  /** The argument before the options: the members of an enum, or a schema. */
  readonly first?: unknown;
  readonly options: PlannedOptions;
  /** The TypeScript type of the values. */
  readonly type: string;
}
/** An object of a class. */
export interface ObjectPlan {
  readonly form: 'object';
  readonly shape: ClassPlan;
}
/** An object whose type belongs to the built-in API, such as PodSpec. */
export interface PartPlan {
  readonly form: 'part';
  readonly name: string;
  /** The module that exports the type, such as `@kubewright/api/core/v1`. */
  readonly module: string;
}
/** A list, or a map from string to a value. */
export interface CollectionPlan {
  readonly form: 'list' | 'map';
  readonly item: ItemPlan;
  readonly options: PlannedOptions;
}
/** The standard conditions. */
export interface ConditionsPlan {
  readonly form: 'conditions';
}
/** The declaration of a value. */
export type ValuePlan = LeafPlan | ObjectPlan | PartPlan | CollectionPlan | ConditionsPlan;

/** The declaration of an item of a list, or of a value of a map. */
export interface ItemPlan {
  readonly value: ValuePlan;
  /** Options that every field supports: nullable, default, title, example, rules. */
  readonly options: PlannedOptions;
}

/** The declaration of a field. */
export interface FieldPlan {
  readonly name: string;
  readonly description: string | undefined;
  readonly value: ValuePlan;
  /** Options that every field supports: optional, nullable, immutable, default, title, example. */
  readonly options: PlannedOptions;
  /** The initializer of the property. */
  readonly initialiser?: { readonly value: unknown };
  readonly rules: readonly RuleOptions[];
}

/** The declaration of a class, which gets its name when all classes of the file are known. */
export interface ClassPlan {
  /** The path from the object to the class, each word in PascalCase and singular: `Spec`, `Template`, `Container`. */
  readonly words: readonly string[];
  readonly description: string | undefined;
  /** The argument of `@Schema`. */
  readonly keywords: Partial<StructuralSchema>;
  readonly rules: readonly RuleOptions[];
  /** Rules about sets of fields: `count` limits how many fields of `keys` are set. */
  readonly oneOf: readonly {
    readonly keys: readonly string[];
    readonly count: 'exactly one' | 'at most one' | 'at least one';
  }[];
  readonly fields: readonly FieldPlan[];
}
