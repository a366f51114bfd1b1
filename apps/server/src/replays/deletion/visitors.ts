import { badRequest, notFound } from '../../http/index.ts'
import { findOfProject, type Finding } from '../find-replay.ts'
import { journeyOf, visitorOf } from '../journeys/journey.ts'
import type { Granted } from '../services.ts'
import type { ChosenVisitor } from '../visitor.ts'

export interface NamedVisitor {
  readonly replay?: string | undefined
  readonly userId?: string | undefined
  readonly email?: string | undefined
}

/**
 * What a replay says of its visitor is taken as it is, and not joined with what other replays of the same id say: who
 * deletes for good is told whose replays they are.
 *
 * @throws HttpError 400, 404
 */
export const chooseVisitor = async (
  services: Finding & Granted<{ replays: 'ofVisitor' }>,
  organizationId: number,
  project: string,
  { email, replay, userId }: NamedVisitor,
): Promise<ChosenVisitor> => {
  if (replay === undefined) {
    if (email === undefined && userId === undefined) {
      throw badRequest('Say whose replays you mean: by a replay of theirs, by userId or by email.')
    }
    return { by: 'user', ids: listed(userId), emails: listed(email), name: '' }
  }
  const { record } = await findOfProject(services, organizationId, { project, replay })
  const visitor = visitorOf(record)
  if (visitor === null) throw notFound('Nothing is known of who was recorded here: only this replay can be deleted.')
  if (visitor.by === 'user') return visitor
  const scope = { organizationId, projectIds: [record.projectId] }
  const journey = journeyOf(record, await services.replays.ofVisitor(scope, visitor, record.startedAt))
  return { by: 'address', replayIds: journey.map(({ replayId }) => replayId) }
}

const listed = (one: string | undefined): readonly string[] => (one === undefined ? [] : [one])

/** As the API tells of one. */
export const visitorJson = (visitor: ChosenVisitor) =>
  visitor.by === 'address'
    ? { by: visitor.by, userId: null, email: null, username: null }
    : {
        by: visitor.by,
        userId: visitor.ids[0] ?? null,
        email: visitor.emails[0] ?? null,
        username: visitor.name === '' ? null : visitor.name,
      }
