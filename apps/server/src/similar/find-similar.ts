import type { Features, IssueRecord, IssueServices } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ledger } from '../storage/index.ts'
import { compare, weightsOf, type Likeness } from './compare.ts'
import { candidatesFor, keepSignatures, signatureOfIssue, takenApart } from './ledger/signatures.ts'
import { LIMITS } from './limits.ts'
import { featuresOfIssue } from './sign.ts'

export interface Similar {
  readonly issueId: number
  readonly likeness: Likeness
  readonly shared: readonly string[]
  readonly onlyHere: readonly string[]
  readonly onlyThere: readonly string[]
  readonly isTakenApart: boolean
}

/** Issues of the same project that are like one, those most alike first; those that somebody took apart come last. */
export const createFindSimilar = ({
  clock,
  events,
  ledger,
}: Pick<IssueServices, 'events'> & { readonly clock: Clock; readonly ledger: Ledger }) => {
  /** Made now where there is none yet. */
  const featuresFor = async (organizationId: number, record: IssueRecord): Promise<Features | null> => {
    const known = await signatureOfIssue(ledger, record.id)
    if (known !== null) return known
    const projectId = record.project.id
    const features = await featuresOfIssue({ events }, { organizationId, projectId }, record.storedIds)
    if (features === null) return null
    await ledger.transaction((transaction) =>
      keepSignatures(transaction, [{ issueId: record.id, projectId, features }], clock.now()),
    )
    return features
  }

  return async (organizationId: number, record: IssueRecord): Promise<readonly Similar[]> => {
    const own = await featuresFor(organizationId, record)
    if (own === null) return []
    const candidates = await candidatesFor(ledger, { issueId: record.id, projectId: record.project.id, features: own })
    const weight = weightsOf([own, ...candidates.map(({ features }) => features)])
    const alike = candidates
      .map(({ features, issueId }) => ({ issueId, features, likeness: compare(own, features, weight) }))
      .filter(({ likeness }) => likeness.score * 100 >= LIMITS.SIMILAR_LEAST_PERCENT)
      .toSorted((a, b) => b.likeness.score - a.likeness.score || b.issueId - a.issueId)
      .slice(0, LIMITS.SIMILAR_SHOWN)
    const apart = (await takenApart(ledger, [record.id, ...alike.map(({ issueId }) => issueId)])).get(record.id)
    return alike
      .map(({ features, issueId, likeness }) => ({
        issueId,
        likeness,
        ...split(own.functions, features.functions),
        isTakenApart: apart?.has(issueId) === true,
      }))
      .toSorted((a, b) => Number(a.isTakenApart) - Number(b.isTakenApart))
  }
}

const split = (here: readonly string[], there: readonly string[]) => {
  const [own, other] = [new Set(here), new Set(there)]
  return {
    shared: here.filter((name) => other.has(name)),
    onlyHere: here.filter((name) => !other.has(name)),
    onlyThere: there.filter((name) => !own.has(name)),
  }
}
