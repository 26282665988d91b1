import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CustomResource, dynamicKind, Field, Kind, type KubeObject, type PolicyOptions } from '@kubewright/api';
import type { ValidatingAdmissionPolicy } from '@kubewright/api/admissionregistration/v1';
import { Pod } from '@kubewright/api/core/v1';
import { crdsFor } from '@kubewright/api/metadata';
import { Manager } from '@kubewright/runtime';
import { permissionsOf } from '@kubewright/runtime/permissions';
import { installManifest } from '../install-manifest.js';
import type { ManifestsInput } from '../manifests-input.js';
import { manifestsOf } from '../manifests-of.js';
import { objectsIn } from '../objects-in.js';

class Spec {
  @Field.string() schedule!: string;
  @Field.list(Field.string(), { optional: true }) names?: string[];
}
@Kind({ group: 'example.com', version: 'v1' })
class CronJob extends CustomResource(Spec) {}
class LimitsSpec {
  @Field.int32() maxLength!: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Limits extends CustomResource(LimitsSpec) {}

function inputOf(options: Partial<PolicyOptions>, namespaced = false): ManifestsInput {
  const whole = { name: 'names', for: CronJob, validations: [{ rule: 'true' }], ...options };
  const description = new Manager({ metrics: false, health: false }).enforce(whole).describe();
  return {
    settings: { name: 'web-operator', image: 'web-operator:latest', namespace: 'web-operator-system', namespaced },
    crds: crdsFor([CronJob, Limits]),
    operator: description,
    permissions: permissionsOf(description),
  };
}
const objectsOf = (options: Partial<PolicyOptions>, namespaced?: boolean): readonly KubeObject[] =>
  objectsIn(installManifest(manifestsOf(inputOf(options, namespaced))));
const policyOf = (objects: readonly KubeObject[]): ValidatingAdmissionPolicy =>
  (objects.find(({ kind }) => kind === 'ValidatingAdmissionPolicy') ?? assert.fail()) as ValidatingAdmissionPolicy;
const refused = (options: Partial<PolicyOptions>, message: string | RegExp): void =>
  assert.throws(() => manifestsOf(inputOf(options)), { code: 'INVALID_POLICY', message });

describe('manifests of policies', () => {
  it('manifests of policies have the prefix and the labels of the operator, and are included with the manager', () => {
    const files = manifestsOf(inputOf({}));
    assert.match(files.get('config/manager/kustomization.yaml') ?? '', /^- \.\.\/policy$/m);
    assert.match(files.get('config/policy/policies.yaml') ?? '', /^kind: ValidatingAdmissionPolicyBinding$/m);
    const { metadata, spec } = policyOf(objectsOf({}));
    assert.deepEqual(metadata, {
      name: 'web-operator-names',
      labels: { 'app.kubernetes.io/managed-by': 'kubewright', 'app.kubernetes.io/name': 'web-operator' },
    });
    assert.deepEqual(spec.matchConstraints?.namespaceSelector, undefined);
  });
  it('manifests contain policies after the CustomResourceDefinitions', () => {
    const kinds = objectsOf({}).map(({ kind }) => kind);
    assert.ok(kinds.lastIndexOf('CustomResourceDefinition') < kinds.indexOf('ValidatingAdmissionPolicy'));
    assert.ok(kinds.indexOf('ValidatingAdmissionPolicy') < kinds.indexOf('ValidatingAdmissionPolicyBinding'));
  });
  it('policies of a namespaced operator apply only to its namespace', () => {
    assert.deepEqual(policyOf(objectsOf({}, true)).spec.matchConstraints?.namespaceSelector, {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['web-operator-system'] }],
    });
  });
  it('an operator without policies has no folder for policies', () => {
    const { operator, ...input } = inputOf({});
    const { policies: _policies, ...others } = operator;
    const files = manifestsOf({ ...input, operator: others });
    assert.deepEqual(
      [...files.keys()].filter((path) => path.startsWith('config/policy')),
      [],
    );
  });
  it('a misspelled field of the object, of the parameters, or of a built-in kind is an error with a suggestion', () => {
    refused(
      { validations: [{ rule: "object.spec.scedule != ''" }] },
      "the policy of manager.enforce is not valid: validations[0].rule: undefined field 'scedule' (at column 12; did you mean 'schedule'?)",
    );
    refused(
      {
        validations: [{ rule: 'object.spec.schedule.size() < params.spec.maxLenght' }],
        params: Limits,
        bindings: [{ params: { name: 'a' } }],
      },
      /undefined field 'maxLenght' \(at column 42; did you mean 'maxLength'\?\)$/,
    );
    refused({ for: Pod, validations: [{ rule: 'object.spec.hostNetwrk' }] }, /did you mean 'hostNetwork'\?/);
    refused(
      { for: Pod, subresource: 'eviction', validations: [{ rule: 'has(object.spec)' }] },
      /undefined field 'spec' \(at column 4/,
    );
  });
  it('all errors of a policy are reported, one per line', () => {
    refused(
      { variables: { a: 'object.x' }, validations: [{ rule: 'true' }, { rule: 'variables.b == 1' }] },
      /^the policy of manager\.enforce is not valid: \n- variables\.a: undefined field 'x' .*\n- validations\[1\]\.rule: undefined field 'b' /,
    );
  });
  it('fields of a kind without a known schema are not checked', () => {
    const kind = dynamicKind('other.example.com/v1', 'Other');
    assert.equal(objectsOf({ for: kind, validations: [{ rule: 'object.spec.anything > 1' }] }).length > 0, true);
  });
  it('an expression that exceeds the cost limit for a sample of the kind is an error', () => {
    const many = `[${Array.from({ length: 150 }, (_, at) => at).join(', ')}]`;
    refused(
      { validations: [{ rule: `${many}.all(a, ${many}.all(b, ${many}.all(c, a + b + c >= 0)))` }] },
      /the cost exceeds the budget of the API server even for a small object/,
    );
  });
});
