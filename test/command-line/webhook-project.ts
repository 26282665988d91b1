import assert from 'node:assert/strict';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { FixtureProject } from './fixture-project.js';

const VALIDATOR = `import { Validator, type Violation } from '@kubewright/api';
import { Foo } from '../api/v1/foo.js';

@Validator({ for: Foo, matchConditions: [{ name: 'not-free', expression: "object.metadata.name != 'free'" }] })
export class FooValidator implements Validator<Foo> {
  validate({ spec }: Foo): readonly Violation[] {
    return spec.count <= 5 ? [] : [{ field: 'spec.count', message: 'must be at most 5' }];
  }
}
`;
const DEFAULTER = `import { Defaulter, type Draft } from '@kubewright/api';
import { Foo } from '../api/v1/foo.js';

@Defaulter({ for: Foo })
export class FooDefaulter implements Defaulter<Foo> {
  default(foo: Draft<Foo>): void {
    foo.metadata.labels = { team: 'none', ...foo.metadata.labels };
  }
}
`;
const CONVERTER = `import { type ConvertedContent, Converter } from '@kubewright/api';
import { Foo as FooV1 } from '../api/v1/foo.js';
import { Foo as FooV2 } from '../api/v2/foo.js';

@Converter({ from: FooV2, hub: FooV1 })
export class FooConverter implements Converter<FooV2, FooV1> {
  up({ spec, status }: FooV2): ConvertedContent<FooV1> {
    return { spec: { count: spec.count / 10 }, status };
  }
  down({ spec, status }: FooV1): ConvertedContent<FooV2> {
    return { spec: { count: spec.count * 10 }, status };
  }
}
`;

/** The kind of the project. */
export interface Foo extends KubeObject {
  readonly spec: { readonly count: number };
}
/** The versions of the kind. */
export const [FooV1, FooV2] = ['v1', 'v2'].map(
  (version) => dynamicKind(`example.com/${version}`, 'Foo') as unknown as new (init: object) => Foo,
) as [new (init: object) => Foo, new (init: object) => Foo];

/** Creates a project with a defaulter, a validator, and a converter, all created with `kubewright add` and then edited. */
export async function projectWithWebhooks(): Promise<FixtureProject> {
  const project = await FixtureProject.create();
  await addWebhooks(project);
  return project;
}

/** Adds a defaulter, a validator, and a converter to a project without webhooks. */
export async function addWebhooks(project: FixtureProject): Promise<void> {
  for (const args of [
    ['webhook', '--kind', 'Foo', '--defaulting', '--validating'],
    ['version', '--kind', 'Foo', '--version', 'v2', '--converter'],
  ]) {
    const { exitCode, stderr } = await project.run(['add', ...args]);
    assert.deepEqual([exitCode, stderr], [0, ''], args.join(' '));
  }
  await project.write('src/webhooks/foo-defaulter.ts', DEFAULTER);
  await project.write('src/webhooks/foo-validator.ts', VALIDATOR);
  await project.write('src/webhooks/foo-converter.ts', CONVERTER);
}
