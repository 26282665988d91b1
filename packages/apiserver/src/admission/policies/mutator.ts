import { mergeConfiguration } from '@kubewright/api/apply';
import {
  type AdmissionBindings,
  AdmissionEvaluation,
  type AdmissionExpression,
  applyConfigurationOf,
  jsonPatchOf,
  OutOfBudget,
  POLICY_BUDGET,
} from '@kubewright/api/cel';
import { applyJsonPatch, PatchError } from '@kubewright/api/patch';
import { prune } from '@kubewright/api/schema';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { ApiObject, JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { internalError } from '../../registry/requests/status-errors.js';
import { compilePolicy, type CompiledPolicy } from './compile-policy.js';

/** The object after a mutation, or the error of the mutation in the wording of kube-apiserver. */
export type MutationResult = { readonly object: JsonDraft } | { readonly error: string };

/** The kind of the object that a mutation changes. */
export interface MutatedKind {
  readonly kind: ResourceDefinition;
  /** Whether only subresources have this kind, for example Scale. kube-apiserver has no schema to merge objects of such a kind. */
  readonly ofSubresource: boolean;
}

/** A compiled mutation. Returns a changed copy of the object in the bindings, or an error. */
export type PolicyMutation = (
  bindings: AdmissionBindings & { readonly object: JsonObject },
  kind: MutatedKind,
) => MutationResult;

/** A compiled MutatingAdmissionPolicy. */
export interface PolicyMutator extends Pick<CompiledPolicy, 'conditions' | 'failurePolicy'> {
  readonly mutations: readonly PolicyMutation[];
  /** Whether the policy runs again after later changes. */
  readonly isReinvoked: boolean;
}

/** Compiles a MutatingAdmissionPolicy. */
export function policyMutator(policy: ApiObject): PolicyMutator {
  const compiled = compilePolicy(policy);
  const spec = objectAt(policy, 'spec');
  return {
    conditions: compiled.conditions,
    failurePolicy: compiled.failurePolicy,
    isReinvoked: stringAt(spec, 'reinvocationPolicy') === 'IfNeeded',
    mutations: objectsAt(spec, 'mutations').map((mutation) => mutationOf(mutation, compiled)),
  };
}

function mutationOf(mutation: JsonObject, { compiler, variables }: CompiledPolicy): PolicyMutation {
  const isPatch = stringAt(mutation, 'patchType') === 'JSONPatch';
  const use = isPatch ? 'jsonPatch' : 'applyConfiguration';
  const expression = compiler.compile(stringAt(mutation, use, 'expression'), use, variables);
  const change = isPatch ? patched : applied;
  return (bindings, kind) => {
    try {
      const evaluation = new AdmissionEvaluation(compiler, bindings, POLICY_BUDGET);
      return change(evaluation, expression, { object: bindings.object, ...kind });
    } catch (error) {
      if (error instanceof OutOfBudget) return { error: error.message };
      throw error;
    }
  };
}

interface Target extends MutatedKind {
  readonly object: JsonObject;
}

function valueOf(
  evaluation: AdmissionEvaluation,
  expression: AdmissionExpression,
): ReturnType<AdmissionEvaluation['evaluate']> {
  if (expression.error !== undefined) return { error: expression.error.detail };
  return evaluation.evaluate(expression);
}

function applied(
  evaluation: AdmissionEvaluation,
  expression: AdmissionExpression,
  { object, kind, ofSubresource }: Target,
): MutationResult {
  const result = valueOf(evaluation, expression);
  if ('error' in result) return result;
  const written = applyConfigurationOf(result.value);
  if ('error' in written) return written;
  const { apiVersion, kind: name } = kind;
  if (ofSubresource) {
    const why = `no corresponding type for ${apiVersion}, Kind=${name}`;
    return { error: `error applying patch: failed to convert patch object to typed object: ${why}` };
  }
  const merged = mergeConfiguration(object, { ...written.configuration, apiVersion, kind: name }, kind.schema);
  if ('error' in merged) return { error: `error applying patch: ${merged.error}` };
  return { object: copyJson(merged.object) as JsonDraft };
}

/** Applies a JSON patch. A patch whose `test` operation fails changes nothing. Throws 500 for fields that the kind does not declare. */
function patched(
  evaluation: AdmissionEvaluation,
  expression: AdmissionExpression,
  { object, kind }: Target,
): MutationResult {
  const result = valueOf(evaluation, expression);
  if ('error' in result) return result;
  const written = jsonPatchOf(result.value);
  if ('error' in written) return written;
  try {
    const changed = applyJsonPatch(object, written.operations) as JsonDraft;
    checkFields(changed, kind);
    return { object: copyJson(changed) };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return error.isFailedTest ? { object: copyJson(object) as JsonDraft } : { error: `JSON Patch: ${error.message}` };
  }
}

function checkFields(changed: JsonDraft, { custom, schema }: ResourceDefinition): void {
  if (custom === true) return;
  const { unknownFields } = prune(changed, schema);
  if (unknownFields.length === 0) return;
  const texts = unknownFields.map((field) => `unknown field ${JSON.stringify(field)}`);
  throw internalError(`strict decoding error: ${texts.join(', ')}`);
}
