import type { SearchKey } from '../../search/model/index.ts'

/** What the search field of logs offers without asking the server. */
export const LOG_KEYS: readonly SearchKey[] = [
  {
    key: 'level',
    hint: 'how bad it is',
    values: [
      { value: 'fatal' },
      { value: 'error' },
      { value: 'warn' },
      { value: 'info' },
      { value: 'debug' },
      { value: 'trace' },
    ],
  },
  { key: 'message', hint: 'part of the line' },
  { key: 'pattern', hint: 'lines that are alike' },
  { key: 'service', hint: 'name of the service' },
  { key: 'logger', hint: 'logger or instrumentation' },
  { key: 'server', hint: 'machine' },
  { key: 'environment', hint: 'where it ran' },
  { key: 'release', hint: 'version of the application' },
  { key: 'project', hint: 'project' },
  { key: 'trace', hint: 'id of the trace' },
  { key: 'span_id', hint: 'id of the span' },
  { key: 'user', hint: 'as id:…, email:…' },
  { key: 'severity_number', hint: '1 to 24, as in >=17', ordered: true },
  { key: 'has', hint: 'the line has this attribute' },
]
