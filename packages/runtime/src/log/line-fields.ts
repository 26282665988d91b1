/** The fields of a log line. */
export type LineFields = Readonly<Record<string, unknown>>;

/** Returns additional fields for a log line at the time when it is written, such as the ids of the active span. */
export type AmbientFields = () => LineFields | undefined;
