import type { SearchKey } from '../../search/model/index.ts'

/** What people look for in the root of a transaction first; the server says the rest. */
export const TRANSACTION_KEYS: readonly SearchKey[] = [
  { key: 'transaction', hint: 'route or job, as in *cart*' },
  { key: 'span.op', hint: 'operation' },
  { key: 'release', hint: 'version of the application' },
  { key: 'span.duration', hint: 'time, as in >500ms', ordered: true, values: [] },
  { key: 'span.status', hint: 'how it ended' },
  { key: 'http.response.status_code', hint: 'as in >=500', ordered: true },
  { key: 'user', hint: 'who waited' },
  { key: 'browser.name', hint: 'browser' },
  { key: 'device.family', hint: 'device' },
  { key: 'user.geo.country_code', hint: 'country' },
  { key: 'project', hint: 'slug' },
  { key: 'environment', hint: 'where it ran' },
  { key: 'http.request.method', hint: 'GET, POST …' },
  { key: 'sdk.name', hint: 'SDK that sent it' },
  { key: 'trace', hint: 'id of a trace' },
]
