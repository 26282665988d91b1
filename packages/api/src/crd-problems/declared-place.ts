import type { FieldNode } from '../fields/field-record.js';
import { kindSourceOf } from '../metadata/kind-source.js';
import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import { pathText, type SchemaStep } from './schema-path.js';

/** The position in the source code where a schema is declared. */
export interface DeclaredPlace {
  /** A description such as `field 'size' of Disk (spec.disks[].size)`. */
  readonly text: string;
  /** Whether decorator options can set the keywords of the schema. False inside built-in types and explicit schemas. */
  readonly own: boolean;
}

/** Describes the class and the field that declare the schema at the given steps. For kinds without classes, describes only the path. */
export function declaredPlace(ref: KindRef, steps: readonly SchemaStep[]): DeclaredPlace {
  const path = pathText(steps);
  if (kindSourceOf(ref) !== undefined || steps.length === 0) {
    return { text: steps.length === 0 ? `kind ${ref.name}` : path, own: steps.length > 0 };
  }
  let at: Position = { shape: ref, text: '', beyond: false };
  for (const step of steps) at = below(at, step);
  const { shape, node, text, beyond } = at;
  const where = text === '' && shape !== undefined ? `class ${shape.name}` : text;
  return {
    text: where === '' ? path : `${where} (${path})`,
    own: !beyond && (node !== undefined || shape !== undefined),
  };
}

interface Position {
  /** The class of the object at this position. */
  readonly shape?: AnyClass | undefined;
  /** The field node of the value at this position. */
  readonly node?: FieldNode | undefined;
  /** The description of the innermost field. */
  readonly text: string;
  /** Whether decorators cannot set keywords at this position, such as within a built-in type. */
  readonly beyond: boolean;
}

function below({ shape, node, text, beyond }: Position, step: SchemaStep): Position {
  if (step === 'items' || step === 'values') {
    const part = step === 'items' ? 'the items of' : 'the values of';
    if (node?.type === 'list' || node?.type === 'map') return within(node.item.node, `${part} ${text}`);
    return { text, beyond: true };
  }
  const { fields = {}, spec, status, resource } = shape === undefined || beyond ? {} : metadataOf(shape);
  const field = fields[step.property];
  if (field !== undefined && shape !== undefined) {
    return within(field.node, `field '${step.property}' of ${declaring(shape, step.property).name}`);
  }
  const part = step.property === 'spec' ? spec : step.property === 'status' ? status : undefined;
  if (part === undefined && resource?.topLevel !== undefined) {
    return below({ shape: resource.topLevel, text, beyond }, step);
  }
  return part === undefined ? { text, beyond: true } : { shape: part, text: '', beyond: false };
}

function within(node: FieldNode, text: string): Position {
  return { node, shape: node.type === 'object' ? node.shape : undefined, text, beyond: false };
}

/** Returns the class that declares a field: this class or a base class. */
function declaring(shape: AnyClass, field: string): AnyClass {
  const parent: unknown = Object.getPrototypeOf(shape);
  if (typeof parent !== 'function' || metadataOf(parent as AnyClass).fields[field] === undefined) return shape;
  return declaring(parent as AnyClass, field);
}
