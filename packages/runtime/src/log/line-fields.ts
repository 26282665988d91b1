/** The fields of a line. */
export type LineFields = Readonly<Record<string, unknown>>;

/** Returns additional fields when a line is written, such as the IDs of the active span. */
export type AmbientFields = () => LineFields | undefined;
