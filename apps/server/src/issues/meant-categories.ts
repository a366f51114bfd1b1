/**
 * Sentry calls everything that is down an outage, and has words for both kinds: what did not run (`cron`) and what does not
 * answer (`uptime`). Issues of the latter are kept as outages.
 */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ['uptime', ['outage']],
  ['outage', ['outage', 'cron']],
])

/** The categories of issues that a word of a search stands for. */
export const meantCategories = (word: string): readonly string[] => MEANT.get(word) ?? [word]
