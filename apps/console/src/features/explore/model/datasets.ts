/** What can be explored. One stands here once the server answers questions about it. */

export type DatasetName = 'spans' | 'errors' | 'logs' | 'tracemetrics'

export interface Dataset {
  readonly name: DatasetName
  readonly label: string
  /** What its rows are: `spans`. */
  readonly things: string
  /** What could be typed into the search, while nothing is. */
  readonly hint: string
  /** What is asked first. */
  readonly usual: { readonly visualise: readonly string[]; readonly group: readonly string[] }
  /** Columns of single rows. */
  readonly samples: readonly string[]
  readonly functions: readonly FunctionOption[]
  /** Attributes that every project has, before the server says which there are. */
  readonly attributes: readonly { readonly key: string; readonly hint: string }[]
  /** What each row has a value of: of that is the heat map. */
  readonly measured: string | null
  /** What it is called when it is asked, where that is not its name. */
  readonly askedAs?: string
}

export interface FunctionOption {
  /** `p95`, `count_unique`. */
  readonly name: string
  readonly hint: string
  /** What stands between its brackets: nothing, an attribute that is a number, or any. */
  readonly takes: 'nothing' | 'number' | 'attribute'
  /** The attribute that it begins with. */
  readonly usual?: string
}

const number = (name: string, hint: string): FunctionOption => ({
  name,
  hint,
  takes: 'number',
  usual: 'span.duration',
})

const SPAN_FUNCTIONS: readonly FunctionOption[] = [
  { name: 'count', hint: 'how many', takes: 'nothing' },
  { name: 'epm', hint: 'how many per minute', takes: 'nothing' },
  { name: 'failure_rate', hint: 'share that failed', takes: 'nothing' },
  number('p50', 'half of them are faster'),
  number('p75', 'three of four are faster'),
  number('p90', 'nine of ten are faster'),
  number('p95', '19 of 20 are faster'),
  number('p99', '99 of 100 are faster'),
  number('avg', 'average'),
  number('min', 'smallest'),
  number('max', 'largest'),
  number('sum', 'of all together'),
  { name: 'count_unique', hint: 'how many different', takes: 'attribute', usual: 'user' },
  { name: 'apdex', hint: 'how content users are, 0 to 1', takes: 'nothing' },
  { name: 'user_misery', hint: 'share of users who waited too long', takes: 'nothing' },
]

const numberOfError = (name: string, hint: string): FunctionOption => ({
  name,
  hint,
  takes: 'number',
  usual: 'device.free_memory',
})

/** The share that nothing caught: an error is a failure, and `failure_rate()` would read as if some were none. */
export const UNHANDLED = 'avg(error.unhandled)'

const ERROR_FUNCTIONS: readonly FunctionOption[] = [
  { name: 'count', hint: 'how many', takes: 'nothing' },
  { name: 'count_unique', hint: 'how many different', takes: 'attribute', usual: 'user' },
  { name: 'epm', hint: 'how many per minute', takes: 'nothing' },
  { name: 'first_seen', hint: 'when the first one was', takes: 'nothing' },
  { name: 'last_seen', hint: 'when the last one was', takes: 'nothing' },
  numberOfError('p50', 'half of them have less'),
  numberOfError('p75', 'three of four have less'),
  numberOfError('p90', 'nine of ten have less'),
  numberOfError('p95', '19 of 20 have less'),
  numberOfError('p99', '99 of 100 have less'),
  numberOfError('avg', 'average, or the share that is true'),
  numberOfError('min', 'smallest'),
  numberOfError('max', 'largest'),
  numberOfError('sum', 'of all together'),
]

const ROW_FUNCTIONS: readonly FunctionOption[] = [
  { name: 'count', hint: 'how many', takes: 'nothing' },
  { name: 'epm', hint: 'how many per minute', takes: 'nothing' },
]

const LOG_FUNCTIONS: readonly FunctionOption[] = [
  ...ROW_FUNCTIONS,
  { name: 'count_unique', hint: 'how many different', takes: 'attribute', usual: 'message.template' },
]

const SPANS: Dataset = {
  name: 'spans',
  label: 'Spans',
  things: 'spans',
  hint: 'attribute:value, words of a description …',
  usual: { visualise: ['p95(span.duration)', 'failure_rate()', 'epm()', 'count()'], group: ['span.op'] },
  samples: ['timestamp', 'span.op', 'span.description', 'span.duration', 'span.status', 'transaction', 'project'],
  functions: SPAN_FUNCTIONS,
  measured: 'span.duration',
  attributes: [
    { key: 'transaction', hint: 'route or job' },
    { key: 'span.op', hint: 'operation' },
    { key: 'span.description', hint: 'statement, address' },
    { key: 'span.duration', hint: 'time, as in >500ms' },
    { key: 'span.status', hint: 'how it ended' },
    { key: 'span.domain', hint: 'host or tables' },
    { key: 'span.category', hint: 'db, http …' },
    { key: 'span.self_time', hint: 'without its children' },
    { key: 'is_transaction', hint: 'root of a service' },
    { key: 'project', hint: 'slug' },
    { key: 'release', hint: 'version of the application' },
    { key: 'environment', hint: 'where it ran' },
    { key: 'user', hint: 'who waited' },
    { key: 'http.request.method', hint: 'GET, POST …' },
    { key: 'http.response.status_code', hint: 'as in >=500' },
    { key: 'browser.name', hint: 'browser' },
    { key: 'os.name', hint: 'operating system' },
    { key: 'device.family', hint: 'device' },
    { key: 'user.geo.country_code', hint: 'country' },
    { key: 'sdk.name', hint: 'SDK that sent it' },
    { key: 'trace', hint: 'id of the trace' },
    { key: 'measurements.lcp', hint: 'largest contentful paint' },
    { key: 'measurements.inp', hint: 'interaction to next paint' },
    { key: 'measurements.cls', hint: 'layout shift' },
    { key: 'measurements.fcp', hint: 'first contentful paint' },
    { key: 'measurements.ttfb', hint: 'time to first byte' },
  ],
}

const ERRORS: Dataset = {
  name: 'errors',
  label: 'Errors',
  things: 'errors',
  hint: 'words of a message, tag:value, error.type:…',
  usual: { visualise: ['count()', 'count_unique(user)', UNHANDLED], group: ['title'] },
  samples: ['timestamp', 'issue', 'title', 'level', 'release', 'environment', 'user.display', 'project'],
  functions: ERROR_FUNCTIONS,
  measured: null,
  // By its own name the server answers what Sentry's older clients know, without samples and rates.
  askedAs: 'occurrences',
  attributes: [
    { key: 'issue', hint: 'short id' },
    { key: 'title', hint: 'of the event' },
    { key: 'level', hint: 'how bad it is' },
    { key: 'error.type', hint: 'class of the last error' },
    { key: 'release', hint: 'version of the application' },
    { key: 'environment', hint: 'where it ran' },
    { key: 'project', hint: 'slug' },
    { key: 'transaction', hint: 'route or job' },
    { key: 'culprit', hint: 'where in the code' },
    { key: 'error.unhandled', hint: 'nothing caught it' },
    { key: 'user', hint: 'who met it' },
    { key: 'user.id', hint: 'id of the user' },
    { key: 'user.email', hint: 'e-mail of the user' },
    { key: 'user.username', hint: 'name of the user' },
    { key: 'url', hint: 'address of the page or request' },
    { key: 'http.method', hint: 'method of the request' },
    { key: 'browser.name', hint: 'browser' },
    { key: 'os.name', hint: 'operating system' },
    { key: 'platform', hint: 'language' },
    { key: 'sdk.name', hint: 'SDK that sent it' },
    { key: 'server_name', hint: 'machine' },
    { key: 'logger', hint: 'logger' },
    { key: 'dist', hint: 'build of the release' },
    { key: 'trace', hint: 'id of the trace' },
    { key: 'device.free_memory', hint: 'memory that was free, as in <50mb' },
    { key: 'device.memory_size', hint: 'memory of the device' },
    { key: 'device.free_storage', hint: 'storage that was free' },
    { key: 'device.battery_level', hint: 'charge, 0 to 100' },
  ],
}

const LOGS: Dataset = {
  name: 'logs',
  label: 'Logs',
  things: 'log lines',
  hint: 'words of a line, attribute:value …',
  usual: { visualise: ['count()'], group: ['severity'] },
  samples: ['timestamp', 'severity', 'message', 'logger.name', 'service.name', 'project'],
  functions: LOG_FUNCTIONS,
  measured: null,
  attributes: [
    { key: 'severity', hint: 'how bad it is' },
    { key: 'message', hint: 'its words' },
    { key: 'message.template', hint: 'without what varies' },
    { key: 'pattern', hint: 'lines that are alike' },
    { key: 'logger.name', hint: 'logger' },
    { key: 'service.name', hint: 'service' },
    { key: 'release', hint: 'version of the application' },
    { key: 'environment', hint: 'where it ran' },
    { key: 'project', hint: 'slug' },
    { key: 'trace', hint: 'id of the trace' },
  ],
}

const METRICS: Dataset = {
  name: 'tracemetrics',
  label: 'Metrics',
  things: 'values',
  hint: 'attribute:value, a part of a name …',
  // Which there are: one of them is chosen before anything else is asked.
  usual: { visualise: ['count()', 'last_seen()'], group: ['metric.name', 'metric.type', 'metric.unit'] },
  samples: ['timestamp', 'metric.name', 'value', 'environment', 'release', 'project'],
  functions: ROW_FUNCTIONS,
  measured: 'value',
  attributes: [
    { key: 'environment', hint: 'where it ran' },
    { key: 'release', hint: 'version of the application' },
    { key: 'project', hint: 'slug' },
    { key: 'service.name', hint: 'service' },
    { key: 'server.address', hint: 'host' },
    { key: 'user', hint: 'whose' },
    { key: 'sdk.name', hint: 'SDK that sent it' },
    { key: 'value', hint: 'as in >100' },
    { key: 'metric.name', hint: 'what was measured' },
    { key: 'metric.type', hint: 'counter, gauge, distribution' },
    { key: 'metric.unit', hint: 'millisecond, byte …' },
    { key: 'trace', hint: 'id of the trace' },
  ],
}

export const DATASETS: readonly [Dataset, ...Dataset[]] = [SPANS, ERRORS, LOGS, METRICS]

export const datasetOf = (name: DatasetName): Dataset => DATASETS.find((one) => one.name === name) ?? SPANS

/** What an address calls a dataset besides its name: as its tab is labelled, or as Sentry's screens and its API do. */
const OTHER_NAMES: Readonly<Record<string, { readonly name: DatasetName; readonly condition?: string }>> = {
  metrics: { name: 'tracemetrics' },
  ourlogs: { name: 'logs' },
  discover: { name: 'errors' },
  events: { name: 'errors' },
  spansIndexed: { name: 'spans' },
  spansMetrics: { name: 'spans' },
  transactions: { name: 'spans', condition: 'is_transaction:true' },
  metricsEnhanced: { name: 'spans', condition: 'is_transaction:true' },
}

/** Of which dataset an address asks, and what of it; null where there is none of that name. */
export function readDataset(name: string): { readonly dataset: Dataset; readonly condition: string } | null {
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined
  const dataset = DATASETS.find((one) => one.name === (other?.name ?? name))
  return dataset === undefined ? null : { dataset, condition: other?.condition ?? '' }
}
