import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../lib/until.ts'
import {
  environmentOf,
  freshFolder,
  removeFolder,
  runFirsthand,
  setUp,
  startFirsthand,
  statusOf,
} from './lib/firsthand.ts'
import type { Firsthand, StatusJson } from './lib/firsthand.ts'
import { post } from './lib/send.ts'
import { waitForEvent } from './lib/stores.ts'

describe('a data folder that is taken away while the server runs', () => {
  const parent = freshFolder()
  const dataDir = join(parent, 'data')
  const away = join(parent, 'away')
  let server: Firsthand | null = null
  afterAll(async () => {
    await server?.killAll()
    removeFolder(parent)
  })

  it('is told, nothing is acknowledged into deleted files, and the server goes on when it is back', async () => {
    const running = await startFirsthand({ dataDir })
    server = running
    const { port } = running
    const account = await setUp(dataDir, port)
    const path = `/api/${account.projectId}/envelope/?sentry_key=${new URL(account.dsn).username}`
    const send = (id: string) =>
      post(port, path, `{"event_id":"${id}"}\n{"type":"event"}\n{"event_id":"${id}","message":"where to?"}`)
    const rename = () =>
      fetch(`http://127.0.0.1:${port}/api/0/organizations/acme/`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Acme Lamps' }),
      })
    const first = 'a'.repeat(32)
    expect((await send(first)).status).toBe(200)
    await waitForEvent(running, first)

    renameSync(dataDir, away)
    // The very next one: not after the next look at the disk.
    const refused = await send('b'.repeat(32))
    expect(refused.status).toBe(503)
    expect(JSON.parse(refused.text)).toMatchObject({ detail: expect.stringContaining('removed or replaced') })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    const change = await rename()
    expect(change.status).toBe(503)
    expect(await change.json()).toMatchObject({
      detail: expect.stringMatching(/removed or replaced.*put the folder back/),
    })
    const told = await fetch(`http://127.0.0.1:${port}/api/0/organizations/acme/status/`, {
      headers: { authorization: `Bearer ${account.token}` },
    })
    const text = await told.text()
    if (told.status === 200) {
      const status = JSON.parse(text) as StatusJson
      expect(status.status).toBe('refusing')
      expect(status.problems).toContainEqual(
        expect.objectContaining({
          id: 'data_gone',
          message: expect.stringMatching(/removed or replaced.*503.*Put it back/),
        }),
      )
    } else {
      // After the next look at the ledger, some seconds later, its reads are refused as well.
      expect(told.status).toBe(503)
      expect(text).toMatch(/removed or replaced.*put the folder back/)
    }
    expect(running.stderr()).toContain('nothing is accepted (503) because the data folder was removed or replaced')
    const doctor = await runFirsthand(['doctor'], environmentOf(dataDir, port))
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/^✗ data .*does not exist, and a server answers/m),
    ])

    renameSync(away, dataDir)
    await until('the good state', async () => ((await statusOf(port, account)).status === 'ok' ? true : null), 60_000)
    const last = 'c'.repeat(32)
    expect((await send(last)).status).toBe(200)
    await waitForEvent(running, last)
    expect((await rename()).status).toBe(200)
    expect((await running.end('SIGTERM')).code).toBe(0)
  })
})
