/** The fields of a line. */
export type LineFields = Readonly<Record<string, unknown>>;

/** Returns the fields that each line receives at the moment when it is written, such as the IDs of the active span. */
export type AmbientFields = () => LineFields | undefined;
