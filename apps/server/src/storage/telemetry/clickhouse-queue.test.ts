import { createServer, request } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onBehalfOf } from '../../lib/caller-context.ts'
import { createFindings } from '../../lib/findings.ts'
import { LIMITS } from '../limits.ts'
import { silentLogger, temporaryFolder } from '../conformance/engines.ts'
import type { Telemetry } from './telemetry.ts'
import { openTelemetry } from '../../../test/stores/open.ts'

const ADA = { organizationId: 1, caller: 'user:1' }
const GRACE = { organizationId: 1, caller: 'user:2' }
const EDSGER = { organizationId: 2, caller: 'user:3' }

/** The embedded engine behind an address, as a ClickHouse server is; it keeps the end of what is asked as `held` back. */
const serve = async (socketPath: string) => {
  let release = (): void => {}
  let released = Promise.resolve()
  let holding = 0
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      if (body.includes('held')) {
        response.writeHead(200).write('{"one":1}\n')
        holding += 1
        void released.then(() => {
          holding -= 1
          response.end()
        })
        return
      }
      const { method, url: path, headers } = incoming
      request({ socketPath, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      released = new Promise((resolve) => (release = resolve))
    },
    holding: () => holding,
    release: () => release(),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

describe('reads of callers at a ClickHouse server', () => {
  const folder = temporaryFolder()
  let engine: Telemetry
  let server: Awaited<ReturnType<typeof serve>>
  let telemetry: Telemetry
  beforeAll(async () => {
    const findings = createFindings({ now: Date.now })
    engine = await openTelemetry({ dataDir: folder.path }, { logger: silentLogger, findings })
    if (engine.endpoint.kind !== 'engine') throw new Error('Not the embedded engine')
    server = await serve(engine.endpoint.socketPath)
    telemetry = await openTelemetry({ url: server.url }, { logger: silentLogger, findings })
  })
  afterAll(async () => {
    await telemetry.close()
    await server.close()
    await engine.close()
    folder.remove()
  })

  const read = async (query = 'SELECT 1 AS one'): Promise<unknown> =>
    (await telemetry.client.query({ query, format: 'JSONEachRow' })).json()

  it('of one leave connections for colleagues, for others and for the server itself, until their whole answer has come', async () => {
    server.hold()
    const held = Array.from({ length: LIMITS.TELEMETRY_CONNECTIONS }, () =>
      onBehalfOf(ADA, () => read('SELECT 1 AS one -- held')),
    )
    // Meanwhile all of hers that may begin have an answer that has begun.
    for (let round = 0; round < LIMITS.TELEMETRY_CONNECTIONS; round += 1) {
      expect(await onBehalfOf(GRACE, () => read())).toEqual([{ one: 1 }])
      expect(await onBehalfOf(EDSGER, () => read())).toEqual([{ one: 1 }])
      expect(await read()).toEqual([{ one: 1 }])
    }
    expect(server.holding()).toBe(LIMITS.CLICKHOUSE_READS_PER_CALLER)
    server.release()
    expect(await Promise.all(held)).toHaveLength(LIMITS.TELEMETRY_CONNECTIONS)
  })

  it('of one organisation leave connections for another, and those of all for the server itself', async () => {
    server.hold()
    const held: Promise<unknown>[] = []
    for (const organizationId of [1, 2, 3]) {
      for (let person = 0; person < LIMITS.CLICKHOUSE_READS_PER_ORGANIZATION; person += 1) {
        const caller = `user:${organizationId}-${person}`
        held.push(onBehalfOf({ organizationId, caller }, () => read('SELECT 1 AS one -- held')))
      }
      if (organizationId === 1) expect(await onBehalfOf(EDSGER, () => read())).toEqual([{ one: 1 }])
    }
    expect(await read()).toEqual([{ one: 1 }])
    server.release()
    expect(await Promise.all(held)).toHaveLength(LIMITS.CLICKHOUSE_READS_PER_ORGANIZATION * 3)
  })

  it('are refused when too much of one caller waits', async () => {
    server.hold()
    const most = LIMITS.CLICKHOUSE_READS_PER_CALLER + LIMITS.TELEMETRY_READS_WAITING_PER_CALLER
    const held = Array.from({ length: most }, () => onBehalfOf(ADA, () => read('SELECT 1 AS one -- held')))
    await expect(onBehalfOf(ADA, () => read())).rejects.toMatchObject({ name: 'StatementRefusal', reason: 'busy' })
    server.release()
    await Promise.all(held)
  })
})
