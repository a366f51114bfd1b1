/** Limits of questions that are asked of a dataset. */
export const LIMITS = {
  /** Rows of a page. */
  EXPLORE_ROWS: 1000,
  /** Functions and numbers of one equation. */
  EQUATION_TERMS: 30,
  EQUATION_DEPTH: 10,
  /** Rows that are skipped to come to a page of groups. */
  EXPLORE_OFFSET: 100_000,
  /** Different groups that one question sorts. */
  EXPLORE_GROUPS: 200_000,
  /** How long the telemetry works on one question. */
  EXPLORE_SECONDS: 8,
  EXPLORE_MEMORY_BYTES: 200 * 1024 * 1024,
  /** How long it may take to say why there is no answer, conditions of a search that are looked at for that, and values alike. */
  TIP_SECONDS: 2,
  TIP_TERMS: 6,
  TIP_VALUES: 20,
  TIP_VALUE_CHARACTERS: 100,
  /** Text of a page. */
  EXPLORE_PAGE_BYTES: 16 * 1024 * 1024,
  /** How much of a text a page is sorted by. */
  EXPLORE_SORTED_CHARACTERS: 40,
  /** Lines of a chart by the most frequent values. */
  SERIES_TOP: 10,
  /** Steps of a series. */
  SERIES_POINTS: 2016,
  /** A step that ended so short a while ago may still get rows. */
  SERIES_INCOMPLETE_MS: 90_000,
  /** Rows that are looked at for names of attributes. */
  ATTRIBUTE_SAMPLE_ROWS: 20_000,
  /** Names of attributes, and values of one, of an answer. */
  ATTRIBUTES_LISTED: 1000,
  ATTRIBUTE_VALUES_LISTED: 100,
  /** Traces of an answer, and spans of each. */
  TRACES_FOUND: 100,
  TRACE_SPANS_FOUND: 100,
  /** Steps of a heat map. */
  HEAT_MAP_STEPS: 72,
  /** Rows of a box on a heat map, and as many outside of it, whose attributes are compared. */
  BOX_ROWS: 5000,
  /** Attributes that are compared, those that differ and are answered, and how much of a value is looked at. */
  BOX_ATTRIBUTES: 500,
  BOX_DIFFERENCES: 12,
  BOX_VALUE_CHARACTERS: 200,
  /** Queries that one person keeps in an organisation, and what one may say. */
  SAVED_QUERIES: 500,
  SAVED_QUERY_BYTES: 16 * 1024,
} as const
