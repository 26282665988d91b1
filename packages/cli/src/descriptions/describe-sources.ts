import type { Descriptions } from '@kubewright/api/metadata';
import { forgottenFields } from './forgotten-fields.js';
import { type CompiledModule, matchClasses } from './match-classes.js';
import { readSource, type SourceText } from './source-file.js';

/** What the comments of sources say of the classes compiled from them. */
export interface SourceDescriptions {
  /**
   * The descriptions of the classes that modules export and of those that they are made of. A class is matched with its source by its
   * module and its name, or, where it is not exported, by its name within the source that uses it and those it imports; a name
   * that several sources have is told apart by the fields.
   */
  of(modules: Iterable<CompiledModule>): Descriptions;
  /** The fields of these classes that no decorator of `Field` is on, a sentence each. */
  forgottenFields(modules: Iterable<CompiledModule>): readonly string[];
}

/**
 * Reads the documentation comments of classes and fields. Sources that do not parse describe nothing.
 *
 * @example
 * const sources = describeSources([{ path: 'src/api/v1/disk.ts', text }]);
 * const exports = await import('./dist/api/v1/disk.js');
 * generateCrds([exports.Disk], { descriptions: sources.of([{ source: 'src/api/v1/disk.ts', exports }]) });
 */
export function describeSources(files: readonly SourceText[]): SourceDescriptions {
  const sources = new Map(files.map((file) => [file.path, readSource(file)]));
  return {
    of: (modules) => {
      const declared = matchClasses(sources, modules);
      return (shape, field) => {
        const found = declared.get(shape)?.declared;
        return field === undefined ? found?.description : found?.fields.get(field);
      };
    },
    forgottenFields: (modules) => forgottenFields(matchClasses(sources, modules)),
  };
}
