import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Manager } from '@kubewright/runtime';
import fc from 'fast-check';
import { CompiledModules } from '../../test-support/compiled-modules.js';
import { mains } from '../../test-support/random-mains.js';
import { addImport, isUsed } from './add-import.js';
import { addToManager } from './manager-place.js';
import { sourceModule } from './source-module.js';
import { edited, type TextEdit } from './text-edit.js';

const from = './controllers/new-controller.js';
const desired = { name: 'NewController', from, otherName: 'OtherNewController' };

/** Returns the edits that add a controller; undefined if `addToManager` returns undefined. */
function editsFor(text: string): readonly TextEdit[] | undefined {
  const module = sourceModule('src/main.ts', text);
  assert.ok(module, text);
  const { local, edit } = addImport(module, desired);
  const added = addToManager(module, local);
  return added === undefined ? undefined : [...(edit === undefined ? [] : [edit]), added];
}
function changed(text: string): string | undefined {
  const edits = editsFor(text);
  return edits && edited(text, edits);
}
const source = (body: string, imports = "import { A } from './a.js';\n"): string =>
  `import { Manager } from '@kubewright/runtime';\n${imports}\n${body}`;
const bodyOf = (text: string): string | undefined => changed(text)?.split('\n\n').slice(1).join('\n\n');

describe('addToManager', () => {
  it('addToManager inserts a statement after the last call of add, or before the call of start', () => {
    assert.equal(
      changed(source('const manager = new Manager();\nmanager.add(A); // the first\nawait manager.start();\n')),
      "import { Manager } from '@kubewright/runtime';\nimport { A } from './a.js';\nimport { NewController } from './controllers/new-controller.js';\n\nconst manager = new Manager();\nmanager.add(A); // the first\nmanager.add(NewController);\nawait manager.start();\n",
    );
    assert.equal(
      bodyOf(source('const m = new Manager();\n// go\nawait m.start();\n')),
      'const m = new Manager();\nm.add(NewController);\n// go\nawait m.start();\n',
    );
    assert.equal(
      bodyOf(source('export const m = new Manager();\n')),
      'export const m = new Manager();\nm.add(NewController);\n',
    );
  });
  it('addToManager adds a call to a chain of calls such as new Manager().add(A).start()', () => {
    assert.equal(bodyOf(source('await new Manager().start();\n')), 'await new Manager().add(NewController).start();\n');
    assert.equal(
      bodyOf(source('await new Manager()\n  .add(A) // the first\n  .start();\n')),
      'await new Manager()\n  .add(A) // the first\n  .add(NewController)\n  .start();\n',
    );
  });
  it('addToManager inserts no semicolon if the statements of the program have none', () => {
    assert.equal(
      bodyOf(source('const m = new Manager()\nm.add(A)\nawait m.start()\n')),
      'const m = new Manager()\nm.add(A)\nm.add(NewController)\nawait m.start()\n',
    );
  });
  it('addToManager inserts the statement after the manager is created, and not in a conditional statement', () => {
    assert.equal(
      bodyOf(source('const add = () => m.add(A);\nconst m = new Manager();\nif (1 > 0) m.add(A);\nawait m.start();\n')),
      'const add = () => m.add(A);\nconst m = new Manager();\nif (1 > 0) m.add(A);\nm.add(NewController);\nawait m.start();\n',
    );
  });
  it('addImport imports the controller under another name if the program already uses the name', () => {
    const text = changed(source('await new Manager().start();\n', "import { NewController } from './old.js';\n"));
    assert.match(text ?? '', /import \{ NewController as OtherNewController \} from/);
    assert.match(text ?? '', /\.add\(OtherNewController\)/);
  });
  it('addToManager returns undefined for a source with several managers or without a manager', () => {
    assert.equal(changed(source('const a = new Manager();\nconst b = new Manager();\n')), undefined);
    assert.equal(changed('class Manager {}\nawait new Manager().start();\n'), undefined);
  });
  it('addImport and isUsed find a controller that the program already imports and adds', () => {
    const module = sourceModule(
      'a.ts',
      source('new Manager().add(A, NewController);\n', `import { NewController } from '${from}';\n`),
    );
    assert.ok(module);
    assert.equal(addImport(module, desired).edit, undefined);
    assert.deepEqual([isUsed(module, 'NewController'), isUsed(module, 'B')], [true, false]);
  });
});

describe('random programs', () => {
  const controller = (name: string): string =>
    `import { ConfigMap } from '@kubewright/api/core/v1';\nimport { Controller, Result } from '@kubewright/runtime';\n@Controller({ for: ConfigMap })\nexport class ${name} {\n  async reconcile(): Promise<Result> {\n    return Result.done();\n  }\n}\n`;

  it('addToManager preserves every line of a random program, and the changed program starts the added controller', async () => {
    const texts = fc.sample(mains, { numRuns: 60, seed: 8 });
    const modules = new Map(
      ['A', 'B', 'New'].map((name) => [
        `controllers/${name.toLowerCase()}-controller.ts`,
        controller(`${name}Controller`),
      ]),
    );
    for (const [at, text] of texts.entries()) {
      const edits = editsFor(text);
      assert.ok(edits, text);
      assert.ok(edits.every(({ end }) => end === undefined));
      const result = edited(text, edits);
      assertPreserved(text, result);
      modules.set(`main-${at}.ts`, result);
    }
    await using compiled = await CompiledModules.of(modules);
    assert.equal(compiled.answer, '');
    for (const at of texts.keys()) {
      const { controllers } = (await startedBy(() => compiled.load(`main-${at}.ts`))).describe();
      assert.ok(
        controllers.some(({ name }) => name === 'new'),
        modules.get(`main-${at}.ts`),
      );
    }
  });
});

/** Asserts that the result contains every line of the text, in the same order. A line with a chain of calls can have one more call. */
function assertPreserved(text: string, result: string): void {
  const lines = result.split('\n');
  for (const line of text.split('\n')) {
    const at = lines.findIndex(
      (each) =>
        each === line ||
        each.replace(/(?:\.| ?manager\.)add\(NewController\);?/, '') === line ||
        (line === '' && each === ''),
    );
    assert.notEqual(at, -1, `${JSON.stringify(line)} is lost:\n${result}`);
    lines.splice(0, at + 1);
  }
}

/** Loads a program, and returns the manager that the program starts. The inspection hook prevents connections to a server. */
async function startedBy(load: () => Promise<unknown>): Promise<Manager> {
  const hooks = globalThis as Record<symbol, unknown>;
  const hook = Symbol.for('kubewright.inspection');
  try {
    return await new Promise((resolve, reject) => {
      hooks[hook] = resolve;
      load().catch(reject);
    });
  } finally {
    delete hooks[hook];
  }
}
