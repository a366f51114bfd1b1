/** The parts of a project's settings, in the order of their tabs. */
export const PROJECT_TABS = [
  { value: 'general', label: 'General' },
  { value: 'keys', label: 'Keys (DSN)' },
  { value: 'filters', label: 'Inbound filters' },
  { value: 'scrubbing', label: 'Data scrubbing' },
  { value: 'feedback', label: 'Feedback' },
  { value: 'grouping', label: 'Grouping' },
] as const
export type ProjectTab = (typeof PROJECT_TABS)[number]['value']

/** The tab in the URL; the first one needs no word there. */
export function readProjectTab(search: Readonly<Record<string, unknown>>): { tab?: ProjectTab } {
  const tab = PROJECT_TABS.find(({ value }) => value === search.tab)?.value
  return tab === undefined || tab === 'general' ? {} : { tab }
}
