import { KubewrightError } from '../errors/kubewright-error.js';
import type { StatusCause } from '../errors/status.js';
import { compareTexts, managerId, type Manager } from './managed-fields.js';
import { pathText, type Path } from './path-element.js';

/** A field that another manager owns and that the apply would change. */
export interface ApplyConflict extends Manager {
  /** The field in the notation of Kubernetes: `.spec.replicas`. */
  readonly field: string;
  /** The message of the field in the 409 response: `conflict with "kubectl" using apps/v1`. */
  readonly message: string;
}

/**
 * Reports that an apply without force would change fields of other managers. Code `APPLY_CONFLICT`. The message has the wording of
 * Kubernetes.
 */
export class ApplyConflictError extends KubewrightError {
  readonly conflicts: readonly ApplyConflict[];
  constructor(conflicts: readonly ApplyConflict[]) {
    super('APPLY_CONFLICT', messageOf(conflicts));
    this.conflicts = conflicts;
  }

  /** The causes in the details of the 409 Status, one for each conflict. */
  get causes(): readonly StatusCause[] {
    return this.conflicts.map(({ message, field }) => ({ reason: 'FieldManagerConflict', message, field }));
  }
}

/** Returns the conflict for one field and the manager that owns the field. */
export function conflictOver(manager: Manager, path: Path): ApplyConflict {
  const { operation, apiVersion, subresource } = manager;
  const who = { manager: manager.manager, operation, apiVersion, ...(subresource ? { subresource } : {}) };
  return { ...who, field: pathText(path), message: `conflict with ${managerText(manager)}` };
}

function messageOf(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  }
  const fields = new Map<string, string[]>();
  const sorted = [...conflicts].toSorted((a, b) => compareTexts(managerId(a), managerId(b)));
  for (const conflict of sorted) {
    const heading = `conflicts with ${managerText(conflict)}:`;
    fields.set(heading, [...(fields.get(heading) ?? []), `- ${conflict.field}`]);
  }
  const lines = [...fields].flatMap(([heading, owned]) => [heading, ...owned]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '');
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
