/** As many as one request may ask, as the contract says. */
const QUERIES_PER_REQUEST = 20

interface Asked<Place> {
  readonly org: string
  readonly place: Place
}

type CountAll<Place> = (asked: Asked<Place> & { readonly queries: readonly string[] }) => Promise<Counts>
type Counts = Readonly<Record<string, number | null>>

interface Waiting<Place> {
  readonly asked: Asked<Place>
  readonly answers: Map<string, PromiseWithResolvers<number | null>>
}

/**
 * Counts that several parts of a page ask for while it is drawn, as one request for each place: what is asked in the same
 * turn goes together, and the same search once.
 */
export function createGlances<Place>(
  countAll: CountAll<Place>,
): (asked: Asked<Place> & { readonly query: string }) => Promise<number | null> {
  let waiting = new Map<string, Waiting<Place>>()

  const ask = async ({ asked, answers }: Waiting<Place>, queries: readonly string[]): Promise<void> => {
    try {
      const counts = await countAll({ ...asked, queries })
      for (const query of queries) answers.get(query)?.resolve(counts[query] ?? null)
    } catch (error) {
      for (const query of queries) answers.get(query)?.reject(error)
    }
  }
  const send = (): void => {
    const places = waiting
    waiting = new Map()
    for (const one of places.values()) {
      const queries = [...one.answers.keys()]
      for (let from = 0; from < queries.length; from += QUERIES_PER_REQUEST) {
        void ask(one, queries.slice(from, from + QUERIES_PER_REQUEST))
      }
    }
  }

  return ({ org, place, query }) => {
    if (waiting.size === 0) setTimeout(send)
    const key = JSON.stringify([org, place])
    const known: Waiting<Place> = waiting.get(key) ?? { asked: { org, place }, answers: new Map() }
    waiting.set(key, known)
    const answer = known.answers.get(query) ?? Promise.withResolvers<number | null>()
    known.answers.set(query, answer)
    return answer.promise
  }
}
