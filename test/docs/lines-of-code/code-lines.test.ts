import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeLines } from './code-lines.js';

test('codeLines excludes empty lines, comment lines and lines with only brackets', () => {
  const go = '/*\nLicence\n*/\n\npackage a\n\nfunc a() {\n\t// Why.\n\tb() // here\n\t//c()\n}\n';
  assert.deepEqual(codeLines('a.go', go), ['package a', 'func a() {', 'b() // here']);
  const ts = '/** What. */\nexport class A {\n  /**\n   * More.\n   */\n  #b = [\n    1,\n  ];\n}\n';
  assert.deepEqual(codeLines('a.ts', ts), ['export class A {', '#b = [', '1,']);
});

test('codeLines counts Go markers that have a decorator as counterpart, and excludes markers for the scaffold and the kubebuilder book', () => {
  const go =
    '// +kubebuilder:validation:Minimum=0\n//+optional\n// +kubebuilder:scaffold:imports\n// +kubebuilder:docs-gen:collapse=A\n';
  assert.deepEqual(codeLines('a.go', go), ['// +kubebuilder:validation:Minimum=0', '//+optional']);
});

test('codeLines treats # as the start of a comment in a manifest', () => {
  assert.deepEqual(codeLines('a.yaml', '# A kind.\nkind: Foo # here\n\nurl: //a\n'), ['kind: Foo # here', 'url: //a']);
});
