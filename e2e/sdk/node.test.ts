import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { setUpAnother } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'node'

/** Unmodified SDKs in a process of their own against the real server: only the DSN is ours. */
describe('the JavaScript SDKs on Node', () => {
  let server: SharedServer
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
  })

  it.each([
    [7, 'seven'],
    [8, 'eight'],
    [9, 'nine'],
    [10, 'ten'],
    [11, 'eleven'],
  ])(
    'SDK %i: an exception with its cause, a message, user, tags and breadcrumbs arrive and are grouped',
    async (major, word) => {
      const alias = `sentry-node-${major}`
      // Equal stacks of several SDKs would rightly be one issue, so each SDK has a project.
      const { dsn } = await setUpAnother(server, { ...server.owner, organization: ORGANIZATION, project: alias })
      const run = () =>
        promisify(execFile)(process.execPath, [join(import.meta.dirname, 'node-app.cjs'), alias, dsn], {
          timeout: 120_000,
        })
      await run()
      await run()
      const api = apiOf(server)

      const error = await until('both exceptions in one issue', async () => {
        const issue = await api.issue(`failed in ${word}`)
        return issue.count === '2' ? issue : null
      })
      expect(error.metadata['type']).toBe('Error')
      const event = await api.latestEvent(error.id)
      const exception = event.entries.find((entry) => entry.type === 'exception')?.data as {
        values: {
          type: string
          stacktrace: { frames: { function: string | null; inApp: boolean; context: unknown[] }[] }
        }[]
      }
      expect(exception.values.map((value) => value.type)).toEqual(['SyntaxError', 'Error'])
      const frames = exception.values.at(-1)?.stacktrace.frames ?? []
      const thrower = frames.at(-1)
      expect(thrower?.function).toContain('chargeCard')
      expect(thrower?.inApp).toBe(true)
      expect(thrower?.context.length).toBeGreaterThan(0)
      expect(event.user).toMatchObject({ id: '42', email: 'ann@example.com' })
      expect(event.tags).toContainEqual(expect.objectContaining({ key: 'sdk.alias', value: alias }))
      expect(event.tags).toContainEqual(expect.objectContaining({ key: 'environment', value: 'e2e' }))
      expect(event.release?.version).toBe(`app@${alias}`)
      const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data as {
        values: { message: string | null }[]
      }
      expect(crumbs.values.map((crumb) => crumb.message)).toContain('lamp added')

      const message = await until('both messages in one issue', async () => {
        const issue = await api.issue(`stock is low says ${word}`)
        return issue.count === '2' ? issue : null
      })
      expect(message).toMatchObject({ title: `stock is low says ${word}`, level: 'warning' })
    },
  )

  it('every item that was sent has an outcome in the receipts', async () => {
    const accepted = async (): Promise<number> => {
      const { totals } = await apiOf(server).receipts()
      return totals
        .filter((row) => row.itemType === 'event' && row.outcome === 'accepted')
        .reduce((sum, row) => sum + row.quantity, 0)
    }
    // An event can be read a moment before its receipt.
    await until('a receipt for each', async () => ((await accepted()) >= 20 ? true : null))
    expect(await accepted()).toBe(20)
  })
})
