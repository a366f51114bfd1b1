import { describe, expect, it } from 'vitest'
import { createIssueApp } from '../issues/test/issue-app.ts'
import { createLedgerReleaseView } from '../releases/ledger/release-view.ts'
import { LEDGER_ENGINES, silentLogger } from '../storage/conformance/engines.ts'
import { createReleaseNaming } from './name-releases.ts'
import { newsOf } from './session-news.ts'

/** Engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('releases that sessions name, with a ledger on $name', (engine) => {
  it(
    'are in the list though no event names them, once, and only where they ran',
    async () => {
      const app = await createIssueApp(engine)
      try {
        const acme = await app.organization('acme')
        const rival = await app.organization('rival')
        const hear = createReleaseNaming({ ledger: app.ledger, clock: app.clock, logger: silentLogger })
        const project = await app.ledger.db
          .selectFrom('projects')
          .select('id')
          .where('organization_id', '=', acme.organizationId)
          .executeTakeFirstOrThrow()
        const sender = { organizationId: acme.organizationId, projectId: project.id }
        const news = newsOf(['web@1.0.0', 'web@1.0.0', 'web@1.1.0'].map((version) => ({ sender, version })))
        expect(news.map(({ data }) => data)).toEqual([{ versions: ['web@1.0.0', 'web@1.1.0'] }])
        for (const one of [...news, ...news]) await hear(one)
        const view = createLedgerReleaseView({ ledger: app.ledger })
        const asked = { query: '', projectIds: null, status: null }
        const found = await view.releases(acme.organizationId, asked, { offset: 0, limit: 10 })
        expect(found.map(({ version }) => version).toSorted()).toEqual(['web@1.0.0', 'web@1.1.0'])
        expect(found.map(({ lastSeenAt }) => lastSeenAt)).toEqual([null, null])
        expect(found.map(({ projects }) => projects.map(({ id }) => id))).toEqual([[project.id], [project.id]])
        expect(await view.releases(rival.organizationId, asked, { offset: 0, limit: 10 })).toEqual([])
      } finally {
        await app.close()
      }
    },
    ENGINES_START_MS,
  )
})
