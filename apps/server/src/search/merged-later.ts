/**
 * Behind `SETTINGS` of questions to tables in which a row that came twice is one only after a merge (`FINAL`). Their key has
 * the time, so both lie in the same partition, and conditions on what is in the key hold for both or for none: these leave
 * out rows before any is compared with others. Without that, a question for some hours of a week compares all of its rows
 * as long as the week has several parts, which costs more than twice as much.
 */
export const MERGED_LATER: readonly string[] = [
  'do_not_merge_across_partitions_select_final = 1',
  'optimize_move_to_prewhere_if_final = 1',
]
