import type { Oracle } from '@kubewright/testing';
import { FixtureProject } from './fixture-project.js';

/** A controller with a bug, and its correction. */
export interface ExploredBug {
  /** The rule that the bug violates. */
  readonly rule: Oracle;
  readonly buggy: string;
  readonly correct: string;
}

/** Returns a project with a small kind and this controller. */
export function explorableProject(controller: string): Promise<FixtureProject> {
  return FixtureProject.create({
    'src/api/v1/foo.ts': `import { CustomResource, Field, Kind } from '@kubewright/api';

export class FooSpec {
  @Field.int32({ minimum: 0, maximum: 3 }) count!: number;
  @Field.boolean({ optional: true }) cache?: boolean;
}
@Kind({ group: 'example.com', version: 'v1' })
export class Foo extends CustomResource(FooSpec) {}
`,
    'src/controllers/foo-controller.ts': controller,
  });
}

/** Returns the source of a controller whose method `reconcile` has this body. In the body, `name` is the name of the object. */
function controllerOf(body: string): string {
  return `import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { mutable, setControllerReference } from '@kubewright/api';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo, owns: [ConfigMap] })
export class FooController implements Reconciler<Foo> {
  constructor(private readonly client: Client) {}

  async reconcile(foo: Foo): Promise<Result> {
    const { name } = foo.metadata;
    const data = { count: String(foo.spec.count) };
    const child = (suffix: string) => new ConfigMap({ metadata: { namespace: 'default', name: \`\${name}-\${suffix}\` }, data });
${body.replaceAll(/^/gm, '    ')}
    return Result.done();
  }
}
`;
}

const correct = controllerOf(`const cache = foo.spec.cache === true ? [child('cache')] : [];
await this.client.applyOwned(foo, [child('one'), child('two'), ...cache]);`);

export const exploredBugs: readonly ExploredBug[] = [
  {
    rule: 'history',
    buggy: controllerOf(`const isKept = (await this.client.find(ConfigMap, child('cache').metadata)) !== undefined;
const cache = foo.spec.cache === true || isKept ? [child('cache')] : [];
await this.client.applyOwned(foo, [child('one'), child('two'), ...cache]);`),
    correct,
  },
  {
    rule: 'deletion',
    buggy: controllerOf(`await this.client.apply(child('log'));
const cache = foo.spec.cache === true ? [child('cache')] : [];
await this.client.applyOwned(foo, [child('one'), child('two'), ...cache]);`),
    correct,
  },
  {
    rule: 'crash',
    buggy: controllerOf(`const cache = foo.spec.cache === true ? [child('cache')] : [];
const isNew = (await this.client.find(ConfigMap, child('one').metadata)) === undefined;
for (const each of isNew ? ['one', 'two'] : []) {
  const own = mutable(child(each));
  setControllerReference(own, foo);
  await this.client.create<ConfigMap>(own);
}
await this.client.applyOwned(foo, cache);`),
    correct,
  },
];
