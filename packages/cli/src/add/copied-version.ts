import { posix } from 'node:path';
import { type StringLiteral, Visitor } from 'oxc-parser';
import { KubewrightError } from '@kubewright/api/errors';
import { type KindDeclaration, kindsIn, propertyOf } from './source/kind-declarations.js';
import { setOption } from './source/set-option.js';
import type { SourceModule } from './source/source-module.js';
import { edited, type TextEdit } from './source/text-edit.js';

/** The path and the version of a copy, and whether it becomes the stored version. */
export interface CopyOptions {
  readonly path: string;
  readonly version: string;
  readonly stored: boolean;
}

/**
 * Returns a copy of the source of a version, for another version. Changes only the version, the `storage` option, and relative imports.
 * @throws KubewrightError CANNOT_EDIT_SOURCE if the source does not contain the version as a literal, or declares several kinds
 */
export function copiedVersion({ module, kind, options, isStored }: KindDeclaration, copy: CopyOptions): string {
  const others = kindsIn(module).filter((each) => each.options !== options);
  if (others.length > 0) {
    throw noPlace(
      kind,
      `${module.path} also declares ${others.map((each) => each.className).join(', ')}; move ${kind} to a separate file`,
    );
  }
  const version = propertyOf(options, 'version')?.value;
  if (options === undefined || version === undefined || version.type !== 'Literal') {
    throw noPlace(
      kind,
      `the version in @Kind of ${module.path} is not a string literal; write @Kind({ …, version: 'v1' })`,
    );
  }
  const quote = module.text[version.start] ?? "'";
  return edited(module.text, [
    { start: version.start, end: version.end, text: `${quote}${copy.version}${quote}` },
    ...(copy.stored === isStored ? [] : [setOption(module, options, { name: 'storage', value: String(copy.stored) })]),
    ...movedImports(module, copy.path),
  ]);
}

/** Returns the edits that adapt relative imports to the folder of the copy. */
function movedImports(module: SourceModule, path: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const move = (source: StringLiteral | null): void => {
    if (source === null || !source.value.startsWith('.')) return;
    const target = posix.join(posix.dirname(module.path), source.value);
    const near = posix.relative(posix.dirname(path), target);
    const text = near.startsWith('.') ? near : `./${near}`;
    if (text !== source.value) edits.push({ start: source.start + 1, end: source.end - 1, text });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => move(source),
    ExportNamedDeclaration: ({ source }) => move(source),
    ExportAllDeclaration: ({ source }) => move(source),
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') move(source);
    },
  }).visit(module.program);
  return edits;
}

function noPlace(kind: string, problem: string): KubewrightError {
  return new KubewrightError('CANNOT_EDIT_SOURCE', `cannot copy ${kind}: ${problem}; no file was written`);
}
