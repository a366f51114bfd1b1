/** Limits of status pages. */
export const LIMITS = {
  /** Incidents and announced maintenance of one organisation. */
  STATUS_INCIDENTS: 500,
  /** Updates of one incident. */
  STATUS_UPDATES: 100,
  /** Incidents that are under way, with their words on the page; of more it says how many there are. */
  STATUS_SHOWN_NOW: 20,
  /** Maintenance ahead that the page shows. */
  STATUS_SHOWN_AHEAD: 10,
  /** What is over, with its words on the page; all of it is in the history. */
  STATUS_SHOWN_BEFORE: 20,
  /** Newest updates of one incident that the page shows. */
  STATUS_SHOWN_UPDATES: 20,
  /** Updates that the page shows in all: of each incident its newest one first, then the others. */
  STATUS_PAGE_UPDATES: 100,
  /** Characters of the last update of each line of the history. */
  STATUS_HISTORY_CHARACTERS: 300,
  /** Incidents of one page of the console's list. */
  STATUS_LISTED_INCIDENTS: 25,
  /** Newest updates of each of them. */
  STATUS_LISTED_UPDATES: 10,
  /** Days of the bars of a component. */
  STATUS_BARS_DAYS: 90,
  /** Days for which an incident that is over is shown. */
  STATUS_HISTORY_DAYS: 14,
  /** Between two looks at all pages; a change is shown at once. */
  STATUS_INTERVAL_MS: 60_000,
} as const
