import type { KindPlan } from './plan-kind.js';
import type { ClassPlan } from './value-plan.js';

const METADATA = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
];

/**
 * Reports whether TypeScript accepts a path such as `.spec.size` for the classes of a kind. Returns true for paths with brackets or
 * escapes, which TypeScript does not check.
 */
export function isTyped({ spec, status, topLevel }: KindPlan, path: string): boolean {
  if (!path.startsWith('.')) return false;
  if (/[[\\]/.test(path)) return true;
  const [root, ...rest] = path.slice(1).split('.');
  if (root === 'metadata') return METADATA.includes(rest.join('.'));
  const shape = root === 'spec' ? spec : root === 'status' ? status : undefined;
  if (shape !== undefined) return leadsThrough(shape, rest);
  return topLevel !== undefined && leadsThrough(topLevel, [root ?? '', ...rest]);
}

function leadsThrough(shape: ClassPlan, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const field = shape.fields.find((each) => each.name === name);
  if (field === undefined || rest.length === 0) return field !== undefined;
  return field.value.form === 'object' && leadsThrough(field.value.shape, rest);
}
