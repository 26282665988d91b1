import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/apiextensions/v1.js';
import { compareSchemas } from './compare-schemas.js';
import { schemaOf } from './compare-versions.js';
import type { LocalFinding } from './compatibility-finding.js';

/** Returns a finding if the conversion strategy changes. */
export function compareConversion(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): readonly LocalFinding[] {
  const [was, is] = [strategyOf(before), strategyOf(after)];
  if (was === is) return [];
  const finding = { path: 'conversion.strategy', change: `${was} → ${is}` };
  if (is === 'Webhook') return [{ ...finding, class: 'safe', reason: 'the comparison does not evaluate the webhook' }];
  const reason =
    'the API server then changes only apiVersion and drops fields that the requested version does not have';
  return [{ ...finding, class: 'breaking', reason, remedy: 'keep the webhook while more than one version is served' }];
}

function strategyOf({ spec }: CustomResourceDefinition): string {
  return spec.conversion?.strategy ?? 'None';
}

/**
 * Compares the old storage version with each version that becomes served or stored. Returns a finding for each difference that is breaking
 * for existing objects. Without a webhook, the API server changes only the apiVersion of these objects. Returns no findings if a webhook
 * converts the objects.
 */
export function compareLosses(
  version: CustomResourceDefinitionVersion,
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): readonly LocalFinding[] {
  const stored = before.spec.versions.find(({ storage }) => storage);
  if (stored === undefined || !(version.served || version.storage) || strategyOf(after) !== 'None') return [];
  const compared = compareSchemas({
    path: '',
    before: schemaOf(stored),
    after: schemaOf(version),
    around: [],
    root: true,
  });
  return compared
    .filter((finding) => finding.class === 'breaking')
    .map((finding) => ({
      ...finding,
      change: `differs from ${stored.name}: ${finding.change}`,
      reason: `conversion strategy None changes only apiVersion; for objects stored in ${stored.name}: ${finding.reason}`,
      remedy: `convert between ${stored.name} and ${version.name} with a webhook, or use compatible schemas`,
    }));
}
