import { posix } from 'node:path';
import { type StringLiteral, Visitor } from 'oxc-parser';
import { KubewrightError } from '@kubewright/api/errors';
import { type KindDeclaration, kindsIn, propertyOf } from './source/kind-declarations.js';
import { setOption } from './source/set-option.js';
import type { SourceModule } from './source/source-module.js';
import { edited, type TextEdit } from './source/text-edit.js';

/** What a copy of a version is to be. */
export interface CopyOptions {
  readonly path: string;
  readonly version: string;
  readonly stored: boolean;
}

/**
 * The source of a version as that of another one. All but the version, who is stored and where other sources are is as it was.
 * @throws KubewrightError NO_PLACE where the version is not written in the source, or the source has more than this kind
 */
export function copiedVersion({ module, kind, options, isStored }: KindDeclaration, copy: CopyOptions): string {
  const others = kindsIn(module).filter((each) => each.options !== options);
  if (others.length > 0) {
    throw noPlace(
      kind,
      `${module.path} declares ${others.map((each) => each.className).join(', ')} too; move ${kind} to a file of its own`,
    );
  }
  const version = propertyOf(options, 'version')?.value;
  if (options === undefined || version === undefined || version.type !== 'Literal') {
    throw noPlace(
      kind,
      `its version is not written as a text in @Kind, in ${module.path}; write @Kind({ …, version: 'v1' })`,
    );
  }
  const quote = module.text[version.start] ?? "'";
  return edited(module.text, [
    { start: version.start, end: version.end, text: `${quote}${copy.version}${quote}` },
    ...(copy.stored === isStored ? [] : [setOption(module, options, { name: 'storage', value: String(copy.stored) })]),
    ...movedImports(module, copy.path),
  ]);
}

/** Imports of other sources of the project, from where the copy is. */
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

function noPlace(kind: string, mistake: string): KubewrightError {
  return new KubewrightError('NO_PLACE', `cannot copy ${kind}: ${mistake}; nothing was written`);
}
