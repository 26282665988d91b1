/** Files of a project: their content by their path, which is relative to its folder and has slashes. */
export type ProjectFiles = ReadonlyMap<string, string>;
