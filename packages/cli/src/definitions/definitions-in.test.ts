import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareDefinitions } from '@kubewright/api/crd-compatibility';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from './definitions-in.js';

const refusal = (place: string, problem: string): KubewrightError => new KubewrightError('NO', `${place}: ${problem}`);

/** Returns the YAML of a definition with one field, `count`, with the given schema. */
function definition(schema: string): string {
  return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: counters.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Counter, plural: counters }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { count: ${schema} } } }
`;
}

describe('definitionsIn', () => {
  it('definitionsIn preserves all digits of integers outside the safe range, so that compareDefinitions detects a changed default', () => {
    const read = (value: string) =>
      definitionsIn(definition(`{ type: integer, default: ${value} }`), 'a.yaml', refusal);
    const findings = compareDefinitions(read('9007199254740993'), read('9007199254740992'));
    assert.deepEqual(
      findings.map(({ path, class: verdict }) => [path, verdict]),
      [['.count', 'breaking']],
    );
  });

  it('definitionsIn reads bounds as floating-point numbers, like an API server', () => {
    const [crd] = definitionsIn(definition('{ type: integer, maximum: 9223372036854775807 }'), 'a.yaml', refusal);
    const count = crd?.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['count'];
    assert.equal(count?.maximum, 2 ** 63);
  });

  it('definitionsIn includes the name of a rejected definition in the error', () => {
    const old = definition('{}').replace('/v1', '/v1beta1');
    assert.throws(() => definitionsIn(old, 'a.yaml', refusal), {
      message:
        "a.yaml: its CustomResourceDefinition counters.example.com has the apiVersion 'apiextensions.k8s.io/v1beta1'; convert it to apiextensions.k8s.io/v1",
    });
  });
});
