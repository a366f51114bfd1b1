import { LIMITS } from '../../limits.ts'

/**
 * How chDB is set up: small caches and few threads, because it shares a small machine with the rest of Firsthand, and
 * no log files or system log tables, because nobody would read them.
 */

const MEBIBYTE = 1024 * 1024

/** Sizes in bytes unless the name says otherwise. */
const SERVER = {
  // Above this the engine refuses queries instead of growing.
  max_server_memory_usage: 420 * MEBIBYTE,
  mark_cache_size: 16 * MEBIBYTE,
  primary_index_cache_size: 16 * MEBIBYTE,
  index_mark_cache_size: 8 * MEBIBYTE,
  index_uncompressed_cache_size: 0,
  uncompressed_cache_size: 0,
  vector_similarity_index_cache_size: 0,
  text_index_tokens_cache_size: 8 * MEBIBYTE,
  text_index_header_cache_size: 8 * MEBIBYTE,
  text_index_postings_cache_size: 8 * MEBIBYTE,
  query_condition_cache_size: 4 * MEBIBYTE,
  compiled_expression_cache_size: 4 * MEBIBYTE,
  mmap_cache_size: 64,
  background_pool_size: 2,
  background_merges_mutations_concurrency_ratio: 1,
  background_schedule_pool_size: 2,
  background_move_pool_size: 1,
  background_fetches_pool_size: 1,
  background_common_pool_size: 1,
  background_buffer_flush_schedule_pool_size: 1,
  background_message_broker_schedule_pool_size: 1,
  background_distributed_schedule_pool_size: 1,
  tables_loader_foreground_pool_size: 2,
  tables_loader_background_pool_size: 2,
  max_thread_pool_size: 64,
  max_thread_pool_free_size: 4,
  // A deletion that finds its table at work is looked for again after a tenth of a second. The engine would add up to a
  // second by chance, so that thousands of tables do not wake at once.
  background_processing_pool_task_sleep_seconds_when_no_work_random_part: 0,
  timezone: 'UTC',
} as const

const MERGE_TREE = {
  // Small inserts come often; parts that were merged away are removed soon, so that disk use stays low. Left alone, the
  // engine looks for them ever more rarely, down to every five minutes.
  old_parts_lifetime: 30,
  cleanup_delay_period: 15,
  max_cleanup_delay_period: 30,
  cleanup_delay_period_random_add: 1,
  merge_max_block_size: 2048,
  merge_max_block_size_bytes: 4 * MEBIBYTE,
  // Merges go column by column, a few parts at a time, with buffers that start small: a merge of all the columns of
  // the widest table at once takes 280 MB.
  vertical_merge_algorithm_min_rows_to_activate: 1,
  vertical_merge_algorithm_min_bytes_to_activate: 1,
  vertical_merge_algorithm_min_columns_to_activate: 1,
  max_parts_to_merge_at_once: 12,
  min_columns_to_activate_adaptive_write_buffer: 1,
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: 0,
  number_of_free_entries_in_pool_to_execute_mutation: 0,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 0,
} as const

/** Settings of every query; a query may state others. */
export const ENGINE_SETTINGS: Readonly<Record<string, string>> = {
  async_insert: '0',
  // The rows of an acknowledged insert survive power loss: Firsthand forgets its spool after the insert.
  fsync_metadata: '1',
  max_threads: '2',
  // The engine's own bound of 1 GiB is more than it may use in all: every statement would have one thread. Two are had
  // while both can be fed, one when others fill the memory.
  max_threads_min_free_memory_per_thread: String(96 * MEBIBYTE),
  max_insert_threads: '1',
  max_memory_usage: String(256 * MEBIBYTE),
  max_bytes_before_external_group_by: String(96 * MEBIBYTE),
  max_bytes_before_external_sort: String(96 * MEBIBYTE),
  max_execution_time: String(LIMITS.TELEMETRY_READ_SECONDS),
  max_block_size: '8192',
  input_format_parallel_parsing: '0',
  // Built by the merges: an insert would pay for it, and the newest parts are small enough to be read whole.
  exclude_materialize_skip_indexes_on_insert: 'by_search_text,by_words,by_trace_id,by_event_id',
  output_format_json_quote_64bit_integers: '0',
}

const toXml = (entries: Readonly<Record<string, string | number>>): string =>
  Object.entries(entries)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')

/** A write that meets a full disk is not reported by the engine (`whole-parts.ts`), so it begins none without room. */
const DISK = { keep_free_space_bytes: LIMITS.ENGINE_RESERVE_BYTES } as const

export const engineConfigXml = (): string =>
  `<clickhouse>${toXml(SERVER)}<merge_tree>${toXml(MERGE_TREE)}</merge_tree><storage_configuration><disks><default>${toXml(DISK)}</default></disks></storage_configuration></clickhouse>`

/** Arguments of the engine's connection, in `clickhouse local` form. */
export const engineArguments = (configFile: string): readonly string[] => [
  `--config-file=${configFile}`,
  ...Object.entries(ENGINE_SETTINGS).map(([name, value]) => `--${name}=${value}`),
]
