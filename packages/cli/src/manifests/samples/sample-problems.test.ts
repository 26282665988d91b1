import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CustomResource, Field, Kind, Rule } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { sampleProblems } from './sample-problems.js';

class FooSpec {
  @Field.int32({ minimum: 1 }) least!: number;
  @Field.int32({ optional: true }) most?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
@Rule({ rule: '!has(self.spec.most) || self.spec.least <= self.spec.most', message: 'least is more than most' })
class Foo extends CustomResource(FooSpec) {}

const sample = (spec: string, kind = 'Foo', apiVersion = 'example.com/v1'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\nspec: ${spec}\n`;

it('kubewright generate warns about samples that violate the schema or a rule, samples of unknown kinds, and files that are not YAML', () => {
  const files = new Map([
    ['config/samples/a.yaml', sample('{ least: 2, most: 3 }')],
    ['config/samples/more/b.yaml', `${sample('{ least: 2, most: 1 }')}---\n${sample('{ most: 1 }')}`],
    ['config/samples/c.json', JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Bar', metadata: { name: 'a' } })],
    ['config/samples/d.yaml', 'a: ['],
    ['config/samples/e.yaml', sample('{}', 'Secret', 'v1')],
    ['config/samples/kustomization.yaml', 'resources: [a.yaml]\n'],
    ['config/default/f.yaml', sample('{}')],
  ]);
  const problems = sampleProblems(files, [crdFor(Foo)]);
  assert.deepEqual(
    problems.map((each) => each.replace(/(?<=d\.yaml).*/, '')),
    [
      'config/samples/c.json: Bar a: the project has no kind Bar in example.com',
      'cannot read config/samples/d.yaml',
      'config/samples/more/b.yaml: Foo a: Invalid value: least is more than most',
      'config/samples/more/b.yaml: Foo a: spec.least: Required value',
    ],
  );
});
