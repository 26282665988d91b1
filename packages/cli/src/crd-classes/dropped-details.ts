import type { StructuralSchema } from '@kubewright/api/schema';
import type { ClassPlan, ItemPlan, ValuePlan } from './value-plan.js';

/** A planned class, and the schema from which the class is generated. */
export interface PlannedPart {
  readonly shape: ClassPlan;
  readonly schema: StructuralSchema;
  /** The field path of the schema, such as `.spec`; empty for the root of the object. */
  readonly path: string;
}

/** The paths whose descriptions are dropped for the same reason. */
interface Dropped {
  readonly reason: string;
  readonly paths: string[];
  descriptions: number;
}

/** Returns one sentence for each reason why the generated definition drops descriptions, and for each enum that moves to `allOf`. */
export function droppedDetails(parts: readonly PlannedPart[]): readonly string[] {
  const details = new DroppedDetails();
  for (const { shape, schema, path } of parts) details.visitClass(shape, schema, path);
  return details.sentences();
}

/** Collects differences while traversing a schema and the plan of its classes in parallel. */
class DroppedDetails {
  readonly #byReason = new Map<string, Dropped>();
  readonly #nullableEnums: string[] = [];

  visitClass(shape: ClassPlan, { properties = {} }: StructuralSchema, path: string): void {
    for (const { name, value, options } of shape.fields) {
      this.#visit({ value, options }, properties[name] ?? {}, `${path}.${name}`);
    }
  }

  sentences(): readonly string[] {
    const dropped = [...this.#byReason.values()].map(({ reason, paths, descriptions }) => {
      const what = descriptions === 1 ? '1 description' : `${descriptions} descriptions`;
      return `${what} below ${paths.join(', ')} ${descriptions === 1 ? 'is' : 'are'} dropped: ${reason}`;
    });
    const moved = this.#nullableEnums.map((path) => `${path} accepts null: its enum moves to allOf`);
    return [...dropped, ...moved];
  }

  #visit({ value, options }: ItemPlan, schema: StructuralSchema, path: string): void {
    if (options['nullable'] === true && schema.enum !== undefined) this.#nullableEnums.push(path);
    this.#visitValue(value, schema, path);
  }

  #visitValue(value: ValuePlan, schema: StructuralSchema, path: string): void {
    const { items = {}, additionalProperties } = schema;
    if (value.form === 'object') this.visitClass(value.shape, schema, path);
    else if (value.form === 'list') this.#visit(value.item, items, `${path}[]`);
    else if (value.form === 'map' && typeof additionalProperties === 'object') {
      this.#visit(value.item, additionalProperties, `${path}.*`);
    } else if (value.form === 'part') {
      this.#drop(schema, path, `${value.name} of ${value.module} has no descriptions`);
    } else if (value.form === 'conditions') {
      this.#drop(schema, path, 'Field.conditions() has no descriptions');
    }
  }

  #drop(schema: StructuralSchema, path: string, reason: string): void {
    const descriptions = descriptionsBelow(schema);
    if (descriptions === 0) return;
    const known = this.#byReason.get(reason) ?? { reason, paths: [], descriptions: 0 };
    known.paths.push(path);
    known.descriptions += descriptions;
    this.#byReason.set(reason, known);
  }
}

function descriptionsBelow({ properties = {}, items, additionalProperties }: StructuralSchema): number {
  const children = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  if (typeof additionalProperties === 'object') children.push(additionalProperties);
  return children.reduce((sum, child) => sum + (isBlank(child.description) ? 0 : 1) + descriptionsBelow(child), 0);
}

function isBlank(description: string | undefined): boolean {
  return description === undefined || description.trim() === '';
}
