import type { FilterToken } from '@firsthand/search-syntax'

import { filtersOf, removeFilters, type SearchKey, valuesOf } from '../../search/model/index.ts'
import type { ReplaySort } from '../model/list-search.ts'

/** What people look for in a replay first; its tags are offered besides. */
export const REPLAY_KEYS: readonly SearchKey[] = [
  { key: 'text', hint: 'words that stood on a page', values: [] },
  { key: 'url', hint: 'a page that was visited, as in *checkout*' },
  { key: 'visitor', hint: 'id or e-mail of somebody, with all ids that they had', values: [] },
  {
    key: 'seen_by_me',
    hint: 'whether you opened it',
    values: [{ value: 'false', hint: 'not yet' }, { value: 'true' }],
  },
  { key: 'user.email', hint: 'e-mail of the visitor' },
  { key: 'user.id', hint: 'id of the visitor' },
  { key: 'user.username', hint: 'name of the visitor' },
  { key: 'user.ip', hint: 'address of the visitor' },
  { key: 'is', hint: 'starred, or !is:starred', values: [{ value: 'starred' }] },
  { key: 'count_errors', hint: 'errors, as in >0', ordered: true, values: [] },
  { key: 'count_rage_clicks', hint: 'clicked in anger, as in >0', ordered: true, values: [] },
  { key: 'count_dead_clicks', hint: 'clicks without an answer, as in >2', ordered: true, values: [] },
  { key: 'duration', hint: 'seconds, as in >60', ordered: true, values: [] },
  { key: 'activity', hint: '1 to 10', ordered: true, values: [] },
  { key: 'click.selector', hint: 'an element that was clicked, as in button.buy', values: [] },
  { key: 'click.textContent', hint: 'its text', values: [] },
  { key: 'click.label', hint: 'its aria-label', values: [] },
  { key: 'click.testid', hint: 'its test id', values: [] },
  { key: 'click.tag', hint: 'a, button, input …', values: [{ value: 'button' }, { value: 'a' }, { value: 'input' }] },
  { key: 'dead.selector', hint: 'an element that did not answer', values: [] },
  { key: 'rage.selector', hint: 'an element that was clicked in anger', values: [] },
  { key: 'release', hint: 'version of the application' },
  { key: 'environment', hint: 'where it ran' },
  { key: 'browser.name', hint: 'browser' },
  { key: 'os.name', hint: 'operating system' },
  { key: 'device.family', hint: 'device' },
  { key: 'issue', hint: 'short id of an issue in it', values: [] },
  { key: 'error_id', hint: 'id of an error in it', values: [] },
  { key: 'trace', hint: 'id of a trace in it', values: [] },
  { key: 'count_urls', hint: 'pages, as in >3', ordered: true, values: [] },
  { key: 'count_warnings', hint: 'warnings, as in >0', ordered: true, values: [] },
  {
    key: 'replay_type',
    hint: 'how it was recorded',
    values: [
      { value: 'session', hint: 'from its beginning' },
      { value: 'buffer', hint: 'kept because something went wrong' },
    ],
  },
  { key: 'platform', hint: 'javascript, android …' },
  { key: 'browser.version', hint: 'version of the browser' },
  { key: 'os.version', hint: 'version of the system' },
  { key: 'device.name', hint: 'device' },
  { key: 'device.brand', hint: 'maker of the device' },
  { key: 'device.model', hint: 'model of the device' },
  { key: 'dist', hint: 'build of the release' },
  { key: 'sdk.name', hint: 'SDK that recorded it' },
  { key: 'sdk.version', hint: 'its version' },
  { key: 'click.id', hint: 'id of the element', values: [] },
  { key: 'click.class', hint: 'class of the element', values: [] },
  { key: 'click.role', hint: 'role of the element', values: [] },
  { key: 'click.alt', hint: 'alternative text of the element', values: [] },
  { key: 'click.title', hint: 'title of the element', values: [] },
  { key: 'click.component_name', hint: 'component of the element', values: [] },
  { key: 'tap.message', hint: 'what was tapped on a phone', values: [] },
  { key: 'tap.view_id', hint: 'its id', values: [] },
  { key: 'tap.view_class', hint: 'its class', values: [] },
  { key: 'screen', hint: 'a screen of an app' },
  { key: 'user.geo.city', hint: 'where the visitor was', values: [] },
  { key: 'user.geo.country_code', hint: 'their country, as in AT', values: [] },
  { key: 'user.geo.region', hint: 'its region', values: [] },
  { key: 'user.geo.subdivision', hint: 'a part of it', values: [] },
  { key: 'device.model_id', hint: 'id of the model', values: [] },
  { key: 'viewed_by_id', hint: 'id of a member who opened it', values: [] },
  { key: 'id', hint: 'id of the replay', values: [] },
]

export const SORTS: readonly { readonly value: ReplaySort; readonly label: string }[] = [
  { value: '-started_at', label: 'Newest' },
  { value: 'started_at', label: 'Oldest' },
  { value: '-count_errors', label: 'Most errors' },
  { value: '-count_rage_clicks', label: 'Most rage clicks' },
  { value: '-count_dead_clicks', label: 'Most dead clicks' },
  { value: '-activity', label: 'Most active' },
  { value: '-duration', label: 'Longest' },
  { value: 'duration', label: 'Shortest' },
  { value: 'activity', label: 'Least active' },
  { value: 'count_errors', label: 'Fewest errors' },
  { value: 'count_rage_clicks', label: 'Fewest rage clicks' },
  { value: 'count_dead_clicks', label: 'Fewest dead clicks' },
]

/** Tabs are searches: each stands for one condition, the rest of the search stays. */
export const TABS = [
  { label: 'All', key: null, operator: '', value: '' },
  { label: 'With an error', key: 'count_errors', operator: '>', value: '0' },
  { label: 'Rage clicked', key: 'count_rage_clicks', operator: '>', value: '0' },
  { label: 'Dead clicked', key: 'count_dead_clicks', operator: '>', value: '0' },
  { label: 'Not seen yet', key: 'seen_by_me', operator: '=', value: 'false' },
] as const
export type Tab = (typeof TABS)[number]

const TAB_KEYS: ReadonlySet<string> = new Set(TABS.flatMap(({ key }) => key ?? []))
const isOfTabs = ({ key }: FilterToken): boolean => !key.tag && TAB_KEYS.has(key.name)

export function withTab(query: string, { key, operator, value }: Tab): string {
  const rest = removeFilters(query, isOfTabs)
  return [rest, ...(key === null ? [] : [`${key}:${operator === '=' ? '' : operator}${value}`])]
    .filter((part) => part !== '')
    .join(' ')
}

/** The tab that the query says, or null for a search of one's own. */
export function activeTab(query: string): Tab | null {
  const [filter, ...others] = filtersOf(query).filter(isOfTabs)
  if (filter === undefined) return TABS[0]
  if (others.length > 0 || filter.negated) return null
  const value = valuesOf(filter).join()
  return (
    TABS.find((tab) => tab.key === filter.key.name && tab.operator === filter.operator && tab.value === value) ?? null
  )
}
