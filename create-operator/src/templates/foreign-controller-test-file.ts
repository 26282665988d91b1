import { kebabCase } from '../scaffold/kind-names.js';
import { builtInSample } from './built-in-sample.js';
import type { ForeignControllerOptions } from './foreign-controller-options.js';
import { literal } from './literal.js';

/** The test of that controller. Where no object is known that a server would take, it tells only whether the controller starts. */
export function foreignControllerTestFile(options: ForeignControllerOptions): string {
  const { kind, module, builtIn, sample = builtIn ? builtInSample(kind) : undefined } = options;
  const kinds = builtIn ? '' : `kinds: [${kind}]`;
  const head = `import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
`;
  const controller = `import { ${kind}Controller } from './${kebabCase(kind)}-controller.js';
`;
  if (sample === undefined) {
    return `${head}${builtIn ? '' : `import { ${kind} } from '${module}';\n`}${controller}
test('a controller of ${kind} starts', async () => {
  await using env = await TestEnvironment.start(${kinds === '' ? '' : `{ ${kinds} }`});
  await env.run(${kind}Controller);
  await env.settled();
});
`;
  }
  return `${head}import { ${kind} } from '${module}';
${controller}
const sample = new ${kind}(${literal({ metadata: metadataOf(options), ...sample })});

test('a ${kind} with the label is told to be ready or not', async () => {
  await using env = await TestEnvironment.start({ ${[kinds, 'objects: [sample]'].filter(Boolean).join(', ')} });
  await env.run(${kind}Controller);
  await env.until(sample, ({ metadata }) => metadata.annotations?.['${options.domain}/ready'] !== undefined);
});
`;
}

function metadataOf({ namespaced, domain }: ForeignControllerOptions): Readonly<Record<string, unknown>> {
  return {
    name: 'sample',
    ...(namespaced && { namespace: 'default' }),
    labels: { [`${domain}/watch`]: 'true' },
  };
}
