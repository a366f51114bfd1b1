/**
 * Which item types only waited for their capability when the pending batch was made (JSON): a server that knows the
 * capability repeats the batch as it was.
 */
export const waitingTypes: readonly string[] = [`ALTER TABLE digest_progress ADD COLUMN waiting_types text`]
