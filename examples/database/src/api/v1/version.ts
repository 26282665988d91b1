/**
 * The release series of MariaDB that the operator supports, oldest first. A server opens the files of its own series and of the previous
 * series, and converts them. After the conversion, older servers cannot open the files.
 */
export const versions = ['10.6', '10.11', '11.4', '11.8'] as const;
export type Version = (typeof versions)[number];

/** The age of each series as a map in CEL, with 0 for the oldest series. As strings, 10.11 would compare as older than 10.6. */
export const ages = JSON.stringify(Object.fromEntries(versions.map((version, age) => [version, age])));
