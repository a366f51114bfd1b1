/**
 * In the evidence of an occurrence (`Occurrence` in `event.ts`): ids of the spans that it is about, by Sentry's name. Who
 * finds something says it, and a trace marks them.
 */
export const OFFENDING_SPANS = 'offenderSpanIds'
