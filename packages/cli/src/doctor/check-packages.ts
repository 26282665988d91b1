import { dirname, relative } from 'node:path';
import { cliVersion } from '../command/cli-version.js';
import { isAtLeast } from '../command/version-order.js';
import { type InstalledPackage, installedPackage } from '../project/package-copies.js';
import { type Finding, ok, wrong } from './finding.js';

const OURS = ['api', 'runtime', 'apiserver', 'testing', 'cli'].map((name) => `@kubewright/${name}`);
/** Packages with global state. A project must not contain two copies of the same package. */
const SINGLE = ['reflect-metadata', 'tsyringe', ...OURS];
/** The first version of the client that requires a newer Node.js than Kubewright, and the required version of Node.js. */
const CLIENT = { name: '@kubernetes/client-node', version: '2', node: '22' };

/**
 * Checks that the required packages of a project are installed, with one copy of each. Checks that the Kubewright packages have the version
 * of the CLI, and that `@kubernetes/client-node` supports this version of Node.js.
 */
export function checkPackages(root: string, node: string = process.versions.node): readonly Finding[] {
  const owners = [
    root,
    ...OURS.flatMap((name) => installedPackage(name, root)?.path ?? []).map((path) => dirname(path)),
  ];
  const copies = (name: string): readonly InstalledPackage[] => {
    const found = owners.flatMap((owner) => installedPackage(name, owner) ?? []);
    return [...new Map(found.map((each) => [each.path, each])).values()];
  };
  const findings = [
    ...SINGLE.flatMap((name) => twice(name, copies(name), root)),
    ...OURS.flatMap((name) => copies(name).flatMap(otherVersion)),
    ...copies(CLIENT.name).flatMap((client) => tooNew(client, node)),
    ...missing(root),
  ];
  return findings.length > 0
    ? findings
    : [ok('packages', `all Kubewright packages have version ${cliVersion()}, with one copy of each`)];
}

function missing(root: string): readonly Finding[] {
  return ['@kubewright/api', '@kubewright/runtime', 'reflect-metadata', 'tsyringe']
    .filter((name) => installedPackage(name, root) === undefined)
    .map((name) => wrong('packages', `${name} is not installed`, `run 'npm install', or 'npm install ${name}'`));
}
function twice(name: string, copies: readonly InstalledPackage[], root: string): readonly Finding[] {
  if (copies.length < 2) return [];
  const places = copies.map(({ version, path }) => `${version} in ${relative(root, dirname(path))}`);
  const remedy = `run 'npm dedupe'; 'npm ls ${name}' lists the packages that depend on each copy`;
  return [wrong('packages', `there are ${copies.length} copies of ${name}: ${places.join(', ')}`, remedy)];
}
function otherVersion({ name, version }: InstalledPackage): readonly Finding[] {
  const ours = cliVersion();
  if (version === ours) return [];
  return [
    wrong(
      'packages',
      `${name} has version ${version}, but kubewright has version ${ours}`,
      `run 'npm install ${name}@${ours}'`,
    ),
  ];
}
function tooNew({ name, version }: InstalledPackage, node: string): readonly Finding[] {
  if (!isAtLeast(version, CLIENT.version) || isAtLeast(node, CLIENT.node)) return [];
  const found = `Node.js ${node} cannot load ${name} ${version}`;
  return [wrong('packages', found, `run 'npm install ${name}@1', or use Node.js ${CLIENT.node} or later`)];
}
