import { expect, it } from 'vitest'
import { createIssueReads } from '../issues/index.ts'
import { createIssueApp, sampleEvent } from '../issues/test/issue-app.ts'
import { createQuestions } from '../lib/questions.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createReadSubject } from './stored-subject.ts'

const [SQLITE] = LEDGER_ENGINES

it('A46: what a message is about is read as it is stored, of its own organisation alone', async () => {
  if (SQLITE === undefined) throw new Error('no engine')
  const app = await createIssueApp(SQLITE)
  const acme = await app.organization('acme')
  const sample = sampleEvent({ kind: 'paid', ago: 60_000 })
  const [issueId = 0] = await app.store(acme, [sample])
  const { ledger, client } = app
  const reads = createIssueReads({ ledger, client, blobs: {} as never })
  const read = createReadSubject({ ...reads, ask: createQuestions().ask, publicUrl: 'https://f.example' })
  const about = {
    issue: { id: issueId, shortId: 'X-1', title: 'paid' },
    project: { id: acme.projectId, slug: 'x', name: 'X' },
    event: { eventId: sample.event_id },
  }
  const found = await read({ id: acme.organizationId, slug: 'acme' }, about)
  expect(found.issue).toMatchObject({ id: String(issueId), status: 'unresolved', statusDetails: {}, userCount: 1 })
  expect(found.event?.event.exception?.values[0]?.value).toContain('paid')
  expect(await read({ id: acme.organizationId + 1, slug: 'zeta' }, about)).toEqual({ issue: null, event: null })
  await app.close()
}, 240_000)
