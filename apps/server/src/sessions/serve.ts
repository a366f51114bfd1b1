import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import type { Announcement } from '../ingest/index.ts'
import { createNeighbours } from '../releases/index.ts'
import { createCourseCounter } from './health/count-course.ts'
import { createHealthCounter } from './health/count-health.ts'
import { healthOfReleases } from './health/health-of-releases.ts'
import { createHealthRoutes } from './health/health.routes.ts'
import { createPersonalSessions } from './erase-sessions.ts'
import { createReleaseNaming } from './name-releases.ts'
import { SESSION_COUNT_ITEMS } from './session-count-items.ts'
import { SESSION_ITEMS } from './session-items.ts'
import { createSessionRoutes } from './sessions.routes.ts'
import { createSessionCounter } from './telemetry/count-sessions.ts'
import { createUserNumber, PEOPLE_OF_SESSIONS } from './user-number.ts'

export const serveSessions = ({ client, clock, keyFor, ledger, logger }: ServerParts): Served => {
  const nameReleases = createReleaseNaming({ ledger, clock, logger })
  const hear = (news: Announcement): void => void nameReleases(news)
  const projects = livingProjects(ledger)
  const sessions = createSessionCounter(client)
  const health = createHealthCounter(client)
  return {
    routes: [
      ...createSessionRoutes({ sessions, projects, clock }),
      ...createHealthRoutes({
        health,
        courses: createCourseCounter(client),
        neighbours: createNeighbours(ledger),
        projects,
        clock,
      }),
    ],
    knows: [healthOfReleases({ sessions, health })],
    personal: [createPersonalSessions(client, createUserNumber(keyFor(PEOPLE_OF_SESSIONS)))],
    hear: { [SESSION_ITEMS]: hear, [SESSION_COUNT_ITEMS]: hear },
  }
}
