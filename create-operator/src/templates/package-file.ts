import { readFileSync } from 'node:fs';
import { packageManagers } from '../scaffold/package-managers.js';
import type { ScaffoldOptions } from '../scaffold/scaffold-options.js';

/** The package.json of a project, with the packages of the version that this one is of. */
export function packageFile(options: Pick<ScaffoldOptions, 'name' | 'domain' | 'packageManager'>): string {
  const { name, domain, packageManager = 'npm' } = options;
  const version = `^${ownVersion()}`;
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
        generate: 'kubewright generate',
        build: 'kubewright build',
        deploy: 'kubewright deploy',
        start: 'node --enable-source-maps dist/main.js',
      },
      kubewright: { domain },
      dependencies: {
        '@kubewright/api': version,
        '@kubewright/runtime': version,
        'reflect-metadata': '^0.2.2',
        tsyringe: '^4.10.0',
      },
      devDependencies: {
        '@kubewright/cli': version,
        '@kubewright/testing': version,
        '@types/node': '^20.19.0',
        typescript: '~7.0.2',
      },
      ...packageManagers[packageManager].fields,
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
