/** What a span was busy with; each has a hue, a texture and a glyph of its own. The order is that of the legend. */
export const KINDS = ['browser', 'code', 'request', 'database', 'cache', 'queue'] as const
export type SpanKind = (typeof KINDS)[number]

/** First match counts. */
const RULES: readonly (readonly [RegExp, SpanKind])[] = [
  [/^(pageload|navigation|ui|browser|interaction|paint|mark|measure|long-?task)\b/, 'browser'],
  [/^(cache|db\.redis|db\.memcached?)\b/, 'cache'],
  [/^db\b/, 'database'],
  [/^(queue|messaging|topic)\b/, 'queue'],
  [/^(http\.client|http$|resource|grpc\.client|rpc\.client|rpc$|fetch|xhr|gen_ai|ai)\b/, 'request'],
]

/** By the operation of the span. */
export function kindOf(op: string): SpanKind {
  return RULES.find(([pattern]) => pattern.test(op))?.[1] ?? 'code'
}
