/** From when to when an issue was seen, and the releases of the first and the last event that name one. */
export interface Span {
  readonly first_seen: number
  readonly last_seen: number
  readonly first_release: string | null
  readonly last_release: string | null
  /** Null also in what is from before these times were kept. */
  readonly first_release_at: number | null
  readonly last_release_at: number | null
}

export const SPAN_COLUMNS = [
  'first_seen',
  'last_seen',
  'first_release',
  'last_release',
  'first_release_at',
  'last_release_at',
] as const

/** Where it is not known when the events with these releases were, they are taken for the first and the last of all. */
export const spanOf = (span: Omit<Span, 'first_release_at' | 'last_release_at'> & Partial<Span>): Span => {
  const { first_release, first_seen, last_release, last_seen } = span
  return {
    first_seen,
    last_seen,
    first_release,
    last_release,
    first_release_at: first_release === null ? null : (span.first_release_at ?? first_seen),
    last_release_at: last_release === null ? null : (span.last_release_at ?? last_seen),
  }
}

/** Of what is given; each edge of a span may be of another one. */
export const EDGES = ['first_seen', 'last_seen', 'first_release_at', 'last_release_at'] as const
export type Edge = (typeof EDGES)[number]

const COLUMNS_OF: Readonly<Record<Edge, (span: Span) => Partial<Span>>> = {
  first_seen: ({ first_seen }) => ({ first_seen }),
  last_seen: ({ last_seen }) => ({ last_seen }),
  first_release_at: ({ first_release, first_release_at }) => ({ first_release, first_release_at }),
  last_release_at: ({ last_release, last_release_at }) => ({ last_release, last_release_at }),
}

const outerOf = (edge: Edge, one: Span, other: Span): Span => {
  const [a, b] = [one[edge], other[edge]]
  if (b === null) return one
  if (a === null) return other
  return (edge.startsWith('first') ? b < a : b > a) ? other : one
}

/** What an edge of several together is, as columns; nothing of none. */
export const edgeOf = (edge: Edge, spans: readonly Span[]): Partial<Span> => {
  const [first, ...others] = spans
  if (first === undefined) return {}
  return COLUMNS_OF[edge](others.reduce((outer, span) => outerOf(edge, outer, span), first))
}

/** Several as one. */
export const togetherOf = (first: Span, others: readonly Span[]): Span =>
  EDGES.reduce((span, edge) => ({ ...span, ...edgeOf(edge, [first, ...others]) }), first)
