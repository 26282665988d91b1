import { join } from 'node:path';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { quoted } from '../crd-classes/literal.js';
import { textOf } from '../project/if-exists.js';
import type { InspectedAdmissionWebhook, InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { sourcesOf } from '../project/project-modules.js';
import { type Candidate, candidateOf, type EquivalentRule } from './candidates/candidate.js';
import { type ValidatorClass, validatorsIn } from './candidates/validator-source.js';
import { type Finding, note } from './finding.js';

/**
 * Finds the validators that are not necessary, because rules in CEL reject the same objects without a webhook. Reports the equivalent
 * rules. Ignores validators that CEL cannot express, and kinds of other operators, whose schemas are not known.
 */
export async function checkCandidates(
  project: Project,
  { operator, crds }: InspectedProject,
): Promise<readonly Finding[]> {
  const validating = (operator.webhooks?.admission ?? []).filter(({ type }) => type === 'validating');
  if (validating.length === 0) return [];
  const sources = await Promise.all(
    (await sourcesOf(project)).map(async (path) => ({ path, text: await textOf(join(project.root, path)) })),
  );
  const validators = sources.flatMap(validatorsIn);
  return validating.flatMap((webhook) => {
    const [validator, second] = validators.filter(({ name }) => webhook.declaredBy === `class ${name}`);
    const crd = crds.find(({ spec }) => spec.group === webhook.kind.group && spec.names.kind === webhook.kind.kind);
    if (validator === undefined || second !== undefined || crd === undefined) return [];
    const candidate = candidateFor(webhook, validator, crd);
    return candidate === undefined ? [] : [findingOf(candidate, validator, webhook)];
  });
}

function candidateFor(
  webhook: InspectedAdmissionWebhook,
  validator: ValidatorClass,
  { spec }: CustomResourceDefinition,
): Candidate | undefined {
  const version = spec.versions.find(({ name }) => name === webhook.kind.version);
  const schema = version?.schema?.openAPIV3Schema as StructuralSchema | undefined;
  if (schema === undefined || webhook.subresource !== undefined) return undefined;
  const isForAll = spec.versions.length === 1 && !hasSelection(webhook);
  return candidateOf({ validator, schema, operations: webhook.operations, isForAll });
}

/** Reports whether the API server sends only some objects to the webhook. */
function hasSelection({ namespaceSelector, objectSelector, matchConditions }: InspectedAdmissionWebhook): boolean {
  return namespaceSelector !== undefined || objectSelector !== undefined || matchConditions.length > 0;
}

function findingOf(
  { place, rules }: Candidate,
  { name, path }: ValidatorClass,
  webhook: InspectedAdmissionWebhook,
): Finding {
  const { kind } = webhook.kind;
  const lines = rules.map((rule) => (place === 'policy' ? objectText(rule) : `@Rule(${objectText(rule)})`));
  const found = `class ${name} in ${path} needs no webhook: rules in CEL reject the same objects\n${lines.join('\n')}`;
  return note('candidates', found, `${remedyOf(place, kind, webhook)}, and remove the validator`);
}

function remedyOf(place: Candidate['place'], kind: string, webhook: InspectedAdmissionWebhook): string {
  if (place === 'spec') return `add the rules to the class of the spec of ${kind}`;
  if (place === 'kind') return `add the rules to the class ${kind}`;
  const selection = hasSelection(webhook) ? ' with the same selectors and conditions' : '';
  const isUsual = webhook.operations.length === 2;
  const operations = isUsual
    ? ''
    : `operations: [${webhook.operations.map((each) => quoted(each.toLowerCase())).join(', ')}], `;
  return `declare @Policy({ for: ${kind}, ${operations}validations: […] }) with these validations${selection}`;
}

function objectText(rule: EquivalentRule): string {
  return `{ ${Object.entries(rule)
    .map(([key, text]) => `${key}: ${quoted(String(text))}`)
    .join(', ')} }`;
}
