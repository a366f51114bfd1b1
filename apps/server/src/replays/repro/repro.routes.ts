import { getReplayTest } from '@firsthand/contract'
import { DEFAULT_PROJECT_SETTINGS, type ProjectLookup } from '../../accounts/index.ts'
import { readTraceId } from '../../event/index.ts'
import { bind, notFound, type Route } from '../../http/index.ts'
import { findOfOrganization, type Finding, type FoundReplay } from '../find-replay.ts'
import { createTurnsAt } from '../in-turn.ts'
import { LIMITS } from '../limits.ts'
import type { BlobReading } from '../read-blob.ts'
import { refuseBeyond } from '../refuse-beyond.ts'
import { reportedAs } from '../replay-rules.ts'
import type { Granted } from '../services.ts'
import { makeTest, type TestMaking } from './make-test.ts'

type ReproServices = BlobReading &
  Finding &
  Granted<{ replays: 'events' | 'segments' }> & {
    readonly making: Pick<TestMaking, 'ask' | 'leave'>
    readonly settings: Pick<ProjectLookup, 'byProjectId'>
  }

/** The one that was asked for, else the first. @throws HttpError 404 */
const errorOf = async (
  { replays }: Granted<{ replays: 'events' }>,
  { record, scope }: FoundReplay,
  asked: string | undefined,
) => {
  const reported = (await replays.events(scope, [record])).filter(({ projectId }) => projectId === record.projectId)
  if (asked === undefined) return reported.find(({ level }) => reportedAs.of(level) === 'error') ?? null
  const eventId = readTraceId(asked)
  const error = reported.find((one) => one.eventId === eventId)
  if (error === undefined) throw notFound('No such event was reported in this replay.')
  return error
}

const TOO_MUCH = `Making a test of this replay takes more time or memory than one may have (${LIMITS.REPLAY_TEST_MS / 1000} s), so it was stopped. Try again when the server has less to do; if it ends the same way, the replay is too large for a test.`

/** Tests that are made of replays, one after the other: each takes memory for a segment and a page. */
export const createReproRoutes = (services: ReproServices): Route[] => {
  const inTurn = createTurnsAt(services.making)
  return [
    bind(getReplayTest, async ({ params, query, request }) => {
      const found = await findOfOrganization(services, request.organization.id, params.replay)
      const { record, scope } = found
      const [error, segments, project] = await Promise.all([
        errorOf(services, found, query.event),
        services.replays.segments(scope, record),
        services.settings.byProjectId(record.projectId),
      ])
      const settings = project?.settings ?? DEFAULT_PROJECT_SETTINGS
      const test = await inTurn(() => makeTest(services, services.making, { record, segments, error, settings })).catch(
        refuseBeyond(TOO_MUCH),
      )
      if (test === null)
        throw notFound(
          'No page was recorded before this error, or nothing of it can be read: no test can be made of it.',
        )
      const name = `replay-${record.replayId.slice(0, 8)}.spec.ts`
      if (query.download === undefined) {
        const reported = error === null ? null : { eventId: error.eventId, title: error.title, at: error.at }
        return {
          body: {
            name,
            source: test.source,
            lines: [...test.lines],
            steps: [...test.steps],
            answers: [...test.answers],
            missing: [...test.missing],
            error: reported,
          },
        }
      }
      if (query.format === 'chrome-recorder') {
        return {
          bytes: Buffer.from(`${JSON.stringify(test.flow, null, 2)}\n`),
          headers: {
            'content-type': 'application/json',
            'content-disposition': `attachment; filename="replay-${record.replayId.slice(0, 8)}.json"`,
          },
        }
      }
      return {
        bytes: Buffer.from(test.source),
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${name}"`,
        },
      }
    }),
  ]
}
