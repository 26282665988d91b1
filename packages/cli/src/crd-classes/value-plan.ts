import type { RuleOptions } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';

/** Options of a field decorator, as they are written. */
export type PlannedOptions = Readonly<Record<string, unknown>>;

/** A decorator of `Field` that needs no class. */
export interface LeafPlan {
  readonly form: 'leaf';
  /** The decorator without `Field.`, such as `int32`. */
  readonly decorator: string;
  /** What it is given before its options: the members of an enum, or a schema. */
  readonly first?: unknown;
  readonly options: PlannedOptions;
  /** The TypeScript type of its values. */
  readonly type: string;
}
/** An object of a class. */
export interface ObjectPlan {
  readonly form: 'object';
  readonly shape: ClassPlan;
}
/** An object of a part of the built-in API. */
export interface PartPlan {
  readonly form: 'part';
  readonly name: string;
  /** The module that has it, such as `@kubewright/api/core/v1`. */
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
/** How a value is declared. */
export type ValuePlan = LeafPlan | ObjectPlan | PartPlan | CollectionPlan | ConditionsPlan;

/** How an item of a list or a value of a map is declared. */
export interface ItemPlan {
  readonly value: ValuePlan;
  /** What every field can say: nullable, default, title, example, rules. */
  readonly options: PlannedOptions;
}

/** How a field is declared. */
export interface FieldPlan {
  readonly name: string;
  readonly description: string | undefined;
  readonly value: ValuePlan;
  /** What every field can say: optional, nullable, immutable, default, title, example. */
  readonly options: PlannedOptions;
  /** The value of an initialiser, where there is one. */
  readonly initialiser?: { readonly value: unknown };
  readonly rules: readonly RuleOptions[];
}

/** How a class is declared. It is named when all classes of the file are known. */
export interface ClassPlan {
  /** What leads to it from the object, each in PascalCase and singular: `Spec`, `Template`, `Container`. */
  readonly words: readonly string[];
  readonly description: string | undefined;
  /** What `@Schema` says. */
  readonly keywords: Partial<StructuralSchema>;
  readonly rules: readonly RuleOptions[];
  /** Sets of fields, and how many of each are set. */
  readonly oneOf: readonly {
    readonly keys: readonly string[];
    readonly count: 'exactly one' | 'at most one' | 'at least one';
  }[];
  readonly fields: readonly FieldPlan[];
}
