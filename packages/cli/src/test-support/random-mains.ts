import fc from 'fast-check';

/** Generates comments and empty lines between statements. */
const between = fc.constantFrom(
  '',
  '',
  '\n',
  '// a remark\n',
  '/* one\n   more */\n',
  '/** what follows */\n',
  '\n\n// above\n\n',
);
const atEnd = fc.constantFrom('', '', ' // why', ' /* so */', '  ');
const options = fc.constantFrom(
  '',
  "{ leaderElection: 'a' }",
  "{\n  leaderElection: 'a', // the name\n\n  health: false,\n}",
  "{ logLevel: 'debug' as const }",
);
const head = fc.constantFrom('', '#!/usr/bin/env node\n', '// Copyright\n\n', '/* eslint-disable */\n');
const imports = fc.constantFrom(
  "import { Manager } from '@kubewright/runtime';\nimport { AController } from './controllers/a-controller.js';\nimport { BController } from './controllers/b-controller.js';",
  'import { Manager as Operator } from "@kubewright/runtime"\nimport {BController} from "./controllers/b-controller.js" // the other\nimport {AController}from"./controllers/a-controller.js"',
  "import * as kubewright from '@kubewright/runtime';\nimport {\n  AController,\n} from './controllers/a-controller.js';\n\n// the other one\nimport { BController } from './controllers/b-controller.js'; import process from 'node:process';",
);

/**
 * The random texts that a program contains: the creation of the manager, comments between statements, and comments at the ends of lines.
 */
interface Parts {
  readonly manager: string;
  readonly gaps: readonly string[];
  readonly ends: readonly string[];
}

const shapes: readonly ((parts: Parts) => string)[] = [
  ({ manager, gaps: [a, b, c], ends: [x, y] }) =>
    `const manager = ${manager};${x}\n${a}manager.add(AController);${y}\n${b}manager.add(BController);\n${c}await manager.start();`,
  ({ manager, gaps: [a, b], ends: [x, y] }) =>
    `const manager = ${manager}${x}\n${a}manager.add(AController, BController)${y}\n${b}await manager.start()`,
  ({ manager, gaps: [a], ends: [x] }) => `${a}await ${manager}.add(AController).add(BController).start();${x}`,
  ({ manager, ends: [x, y] }) => `await ${manager}\n  .add(AController)${x}\n  .add(BController)${y}\n  .start();`,
  ({ manager, ends: [x] }) => `await ${manager}${x}\n    .start();`,
  ({ manager, gaps: [a] }) => `await ${manager}.start();${a}`,
  ({ manager, gaps: [a, b], ends: [x] }) =>
    `const manager = ${manager}.add(AController);${x}\n${a}void process.pid;\n${b}await manager.start();`,
  ({ manager, gaps: [a, b], ends: [x] }) =>
    `async function main(): Promise<void> {\n  const manager = ${manager};\n${a}\tif (process.pid > 0) manager.add(AController);${x}\n${b}  try {\n    await manager.start();\n  } catch (error) {\n    console.error(error);\n  }\n}\n\nvoid main();`,
  ({ manager, ends: [x, y] }) => `const manager = ${manager}; manager.add(AController); await manager.start();${x}${y}`,
  ({ manager, gaps: [a, b] }) =>
    `export const manager = ${manager};\n${a}for (const each of [AController, BController]) {\n  manager.add(each);\n}\n${b}manager.start().then(() => process.pid, () => process.exit(1));`,
  ({ manager, gaps: [a, b], ends: [x] }) =>
    `function makeManager() {\n  return ${manager}.add(AController);${x}\n}\n${a}const made = makeManager();\n${b}await made.start();`,
  ({ manager, gaps: [a, b, c] }) =>
    `const register = () => manager.add(AController);\n${a}const manager = ${manager};\n${b}register();\n${c}await manager.start();`,
  ({ manager, gaps: [a], ends: [x] }) =>
    `const manager = ${manager}\n  .add(AController)${x}\n  .add(BController);\n${a}if (process.pid > 0) {\n  await manager.start();\n} else {\n  process.exit();\n}`,
];

/** Generates programs that create a manager, add controllers, and start the manager, in different styles. */
export const mains: fc.Arbitrary<string> = fc
  .record({
    head,
    imports,
    options,
    shape: fc.nat(shapes.length - 1),
    gaps: fc.array(between, { minLength: 3, maxLength: 3 }),
    ends: fc.array(atEnd, { minLength: 2, maxLength: 2 }),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n'),
    last: fc.constantFrom('\n', '', '\n\n// the end\n'),
  })
  .map((random) => {
    const name = /as (\w+)/.exec(random.imports)?.[1] ?? 'Manager';
    const isNamespace = random.imports.includes('as kubewright');
    const manager = `new ${isNamespace ? 'kubewright.Manager' : name}(${random.options})`;
    const body = shapes[random.shape]?.({ manager, gaps: random.gaps, ends: random.ends }) ?? '';
    return `${random.head}${random.imports}\n\n${body}${random.last}`.replaceAll('\n', random.lineEnd);
  });
