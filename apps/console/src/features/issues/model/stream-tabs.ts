import { filtersOf, isFilterFor, replaceFilters, valuesOf } from '../../search/model/index.ts'

/** Tabs are searches: each stands for its `is:` filters, the rest of the search stays. */
export const TABS = [
  { id: 'unresolved', label: 'Unresolved', states: ['unresolved'] },
  { id: 'for_review', label: 'For review', states: ['unresolved', 'for_review'] },
  { id: 'regressed', label: 'Regressed', states: ['regressed'] },
  { id: 'escalating', label: 'Escalating', states: ['escalating'] },
  { id: 'archived', label: 'Archived', states: ['archived'] },
  { id: 'resolved', label: 'Resolved', states: ['resolved'] },
  { id: 'all', label: 'All', states: [] },
] as const
export type Tab = (typeof TABS)[number]

/** The tab that the query says, or null for a search of one's own. */
export function activeTab(query: string): Tab | null {
  const states = statesOf(query)
  return (
    TABS.find((tab) => tab.states.length === states.length && tab.states.every((state) => states.includes(state))) ??
    null
  )
}

export function withTab(query: string, tab: Tab): string {
  return replaceFilters(query, 'is', tab.states)
}

function statesOf(query: string): readonly string[] {
  return filtersOf(query)
    .filter((token) => isFilterFor(token, 'is'))
    .map((token) => `${token.negated ? '!' : ''}${valuesOf(token).join()}`)
}
