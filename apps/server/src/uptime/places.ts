import { LIMITS } from './limits.ts'

/** Places of those who ask at the same time: so many altogether, and a share of them for each organisation. */
export const createPlaces = () => {
  const taken = new Map<number, number>()
  const waiting: { readonly organizationId: number; readonly admit: () => void }[] = []
  let all = 0

  const countOf = (organizationId: number): number => taken.get(organizationId) ?? 0
  const hasRoom = (organizationId: number): boolean =>
    all < LIMITS.UPTIME_AT_ONCE && countOf(organizationId) < LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION
  const add = (organizationId: number, by: 1 | -1): void => {
    all += by
    const count = countOf(organizationId) + by
    if (count === 0) taken.delete(organizationId)
    else taken.set(organizationId, count)
  }

  const take = (organizationId: number): Promise<void> => {
    if (hasRoom(organizationId)) {
      add(organizationId, 1)
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      waiting.push({
        organizationId,
        admit: () => {
          add(organizationId, 1)
          resolve()
        },
      })
    })
  }
  const give = (organizationId: number): void => {
    add(organizationId, -1)
    const next = waiting.findIndex((one) => hasRoom(one.organizationId))
    const [one] = next < 0 ? [] : waiting.splice(next, 1)
    one?.admit()
  }

  return {
    /** How many may begin; those who wait to go on come first. */
    free: (): number => Math.max(0, LIMITS.UPTIME_AT_ONCE - all - waiting.length),
    /** Of each organisation that has any: how many places it has, and waits for. */
    counts: (): ReadonlyMap<number, number> => {
      const counts = new Map(taken)
      for (const { organizationId } of waiting) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
      return counts
    },
    take,
    give,
    /** Whoever waits to ask again leaves their place to others. */
    outside: async (organizationId: number, wait: () => Promise<void>): Promise<void> => {
      give(organizationId)
      await wait()
      await take(organizationId)
    },
  }
}
