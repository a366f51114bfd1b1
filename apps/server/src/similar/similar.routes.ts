import { listSimilarIssues, listSimilarScores, type Issue } from '@firsthand/contract'
import { bind, notFound, type Route } from '../http/index.ts'
import { plainIssues, type IssueServices } from '../issues/index.ts'
import type { createFindSimilar, Similar } from './find-similar.ts'

interface Request {
  readonly organization: { readonly id: number; readonly slug: string }
  readonly publicUrl: string
}

/** Issues that may be the same problem as one. */
export const createSimilarRoutes = ({
  ask,
  events,
  findSimilar,
  issues,
}: Pick<IssueServices, 'ask' | 'events' | 'issues'> & {
  readonly findSimilar: ReturnType<typeof createFindSimilar>
}): Route[] => {
  const similarTo = async (
    { organization, publicUrl }: Request,
    reference: string,
  ): Promise<readonly { readonly issue: Issue; readonly similar: Similar }[]> => {
    const id = await issues.find(organization.id, reference)
    const [record] = id === null ? [] : await issues.records(organization.id, [id])
    if (record === undefined) throw notFound()
    const found = await findSimilar(organization.id, record)
    const records = await issues.records(
      organization.id,
      found.map(({ issueId }) => issueId),
    )
    const rows = await plainIssues({ ask, events, issues }, { ...organization, publicUrl }, records)
    const byId = new Map(rows.map((issue) => [issue.id, issue]))
    return found.flatMap((similar) => {
      const issue = byId.get(String(similar.issueId))
      return issue === undefined ? [] : [{ issue, similar }]
    })
  }

  return [
    bind(listSimilarIssues, async ({ params, request }) => {
      const found = await similarTo(request, params.issue)
      return {
        body: found.map(({ issue, similar: { isTakenApart, likeness, onlyHere, onlyThere, shared } }) => ({
          issue,
          percent: percent(likeness.score),
          frames: percentOrNull(likeness.frames),
          type: percentOrNull(likeness.type),
          message: percentOrNull(likeness.message),
          shared: [...shared],
          onlyHere: [...onlyHere],
          onlyThere: [...onlyThere],
          isTakenApart,
        })),
      }
    }),

    bind(listSimilarScores, async ({ params, request }) => {
      const found = await similarTo(request, params.issue)
      return {
        body: found.map(({ issue, similar: { likeness } }): [Issue, Record<string, number | null>] => [
          issue,
          {
            'exception:stacktrace:pairs': likeness.frames,
            'exception:stacktrace:application-chunks': likeness.frames,
            'exception:message:character-shingles': likeness.message,
            'message:message:character-shingles': likeness.message,
          },
        ]),
      }
    }),
  ]
}

const percent = (share: number): number => Math.round(share * 100)
const percentOrNull = (share: number | null): number | null => (share === null ? null : percent(share))
