import { join } from 'node:path';
import { messageOf } from '@kubewright/api/errors';
import { isAtLeast } from '../command/version-order.js';
import { installedPackage } from '../project/package-copies.js';
import { readTsconfig, type Tsconfig } from '../project/tsconfig.js';
import { type Finding, ok, warning, wrong } from './finding.js';

/** The oldest supported version of TypeScript. */
const OLDEST_TYPESCRIPT = '5.9';

/** The compiler options that decorators require, each with the required value and the reason. */
const NEEDED: readonly (readonly [option: keyof Tsconfig, value: boolean, why: string])[] = [
  ['experimentalDecorators', true, 'Kubewright uses the experimental decorators of TypeScript'],
  ['emitDecoratorMetadata', true, 'Kubewright reads the types of fields and constructor parameters from this metadata'],
  ['useDefineForClassFields', false, 'class fields would hide the values of decorators and defaults'],
];

/** Checks that a supported version of TypeScript is installed in a project. */
export function checkTypeScript(root: string): Finding {
  const found = installedPackage('typescript', root);
  if (found === undefined) {
    return wrong('typescript', 'TypeScript is not installed', "run 'npm install --save-dev typescript'");
  }
  if (isAtLeast(found.version, OLDEST_TYPESCRIPT)) return ok('typescript', `TypeScript ${found.version}`);
  const remedy = `install TypeScript ${OLDEST_TYPESCRIPT} or newer: run 'npm install --save-dev typescript@${OLDEST_TYPESCRIPT}'`;
  return wrong('typescript', `TypeScript ${found.version} is too old`, remedy);
}

/** Checks that tsconfig.json has the options that decorators require. Warns if `strict` is not true. */
export async function checkTsconfig(root: string): Promise<readonly Finding[]> {
  let options: Tsconfig;
  try {
    options = await readTsconfig(join(root, 'tsconfig.json'));
  } catch (error) {
    return [wrong('tsconfig', messageOf(error), 'correct the file')];
  }
  const findings = NEEDED.filter(([option, value]) => options[option] !== value).map(([option, value, why]) => {
    const found = `"${option}" is not ${value}: ${why}`;
    return wrong('tsconfig', found, `set "${option}": ${value} in "compilerOptions" of tsconfig.json`);
  });
  if (options.strict !== true) {
    const remedy = 'set "strict": true in "compilerOptions" of tsconfig.json';
    findings.push(
      warning(
        'tsconfig',
        '"strict" is not true: TypeScript does not distinguish optional fields from required fields',
        remedy,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('tsconfig', 'tsconfig.json has the options that decorators require')];
}
