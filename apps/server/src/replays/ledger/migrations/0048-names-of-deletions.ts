/** What the search of a deletion names, as it was looked up when it was asked for. What was asked for before has none. */
export const namesOfDeletions = (): readonly string[] => [`ALTER TABLE replay_deletion_jobs ADD COLUMN names text`]
