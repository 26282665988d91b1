/** Files of a project: content by path. Paths are relative to the folder of the project and use slashes. */
export type ProjectFiles = ReadonlyMap<string, string>;
