import { readFileSync } from 'node:fs';
import { dependencyOn, overrideFields } from '../scaffold/local-packages.js';
import { packageManagers } from '../scaffold/package-managers.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';

/** Returns the package.json of a project. The project depends on the Kubewright packages in the version of this package, or on tarballs. */
export function packageFile(options: Pick<ScaffoldOptions, 'name' | 'domain' | 'packageManager' | 'tarballs'>): string {
  const { name, domain, packageManager = 'npm' } = options;
  const published = `^${ownVersion()}`;
  const ours = (each: string): string => dependencyOn(each, options, published);
  return `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      engines: { node: '>=20.19' },
      scripts: {
        dev: 'kubewright dev',
        test: 'kubewright compile && cd dist && node --enable-source-maps --test',
        explore: 'kubewright explore',
        generate: 'kubewright generate',
        build: 'kubewright build',
        deploy: 'kubewright deploy',
        start: 'node --enable-source-maps dist/main.js',
      },
      kubewright: { domain },
      dependencies: {
        '@kubewright/api': ours('@kubewright/api'),
        '@kubewright/runtime': ours('@kubewright/runtime'),
        'reflect-metadata': '^0.2.2',
        tsyringe: '^4.10.0',
      },
      devDependencies: {
        '@kubewright/cli': ours('@kubewright/cli'),
        '@kubewright/testing': ours('@kubewright/testing'),
        '@types/node': '^20.19.0',
        typescript: '~7.0.2',
      },
      ...packageManagers[packageManager].fields,
      ...overrideFields(options),
    },
    undefined,
    2,
  )}\n`;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
