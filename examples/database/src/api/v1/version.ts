/**
 * The release series of MariaDB that the operator knows, oldest first. A server opens the files of its own series and of the one before,
 * and converts them; then no older server can open them any more.
 */
export const versions = ['10.6', '10.11', '11.4', '11.8'] as const;
export type Version = (typeof versions)[number];

/** The age of each, 0 for the oldest, as a map in CEL. Compared as texts, 10.11 would be older than 10.6. */
export const ages = JSON.stringify(Object.fromEntries(versions.map((version, age) => [version, age])));
