/** What every project's settings have; features add tabs of their own (`projectSettings` of their manifests). */
export const OWN_TABS = [
  { value: 'general', label: 'General' },
  { value: 'keys', label: 'Keys (DSN)' },
  { value: 'filters', label: 'Inbound filters' },
  { value: 'scrubbing', label: 'Data scrubbing' },
] as const

/** The tab in the URL; the first one needs no word there. Which tabs there are is known to the page, by its features. */
export function readProjectTab({ tab }: Readonly<Record<string, unknown>>): { tab?: string } {
  return typeof tab === 'string' && tab !== 'general' ? { tab } : {}
}
