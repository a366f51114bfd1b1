import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type EventJson } from '../lib/api.ts'
import { minified, type Minified } from '../lib/minified.ts'
import { errorEvent, newEventId, sendEvents } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { bundleOf, uploaderOf } from '../lib/uploads.ts'

/** Maps that are uploaded when their code has already thrown. */

const ORGANIZATION = 'late-maps'
const URL_OF_CODE = 'https://shop.example/static/app.js'

const throwing = (name: string, method: string) => ({
  [`src/${name}.ts`]: `export class Till {\n  ${method}(total: number): number {\n    if (total > 0) throw new RangeError('no money ' + total)\n    return total\n  }\n}\n`,
  'src/main.ts': `import { Till } from './${name}'\n\n;(globalThis as { run?: unknown }).run = function run() {\n  return new Till().${method}(Date.now())\n}\n`,
})

interface Detail {
  readonly id: string
  readonly culprit: string
  readonly count: string
  readonly status: string
  readonly activity: readonly { readonly type: string; readonly data: { readonly text?: string } }[]
}
interface Stack {
  readonly values: readonly {
    readonly stacktrace: { readonly frames: readonly { filename: string; function: string | null }[] }
  }[]
}

describe('source maps that come after events', () => {
  let server: SharedServer
  let api: ReturnType<typeof apiOf>

  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
    api = apiOf(server)
  })

  const throwIn = async ({ frames }: Minified, message: string, release: string): Promise<void> => {
    const event = { event_id: newEventId(), platform: 'javascript', release, frames: [...frames] }
    await sendEvents(server.account.dsn, [errorEvent('RangeError', message, event)])
  }
  const upload = async ({ files }: Minified, version: string): Promise<void> => {
    const { port, account } = server
    const cli = uploaderOf({ port, organization: ORGANIZATION, token: account.token })
    expect(await cli.upload(bundleOf(files), { projects: [account.project], version })).toMatchObject({ state: 'ok' })
  }
  /** Waits until frames are looked up in what was uploaded for a release. */
  const readable = async (release: string): Promise<void> => {
    const project = `/projects/${ORGANIZATION}/${server.account.project}`
    const bundles = `${project}/files/artifact-bundles/?release=${encodeURIComponent(release)}`
    const [bundle] = await api.get<{ bundleId: string }[]>(bundles)
    await until(`the maps of ${release} are ready`, async () => {
      const path = `${project}/artifact-bundles/${bundle?.bundleId}/files/`
      const { files } = await api.get<{ files: { isReady: boolean | null }[] }>(path)
      return files.every(({ isReady }) => isReady !== false) ? true : null
    })
  }
  const call = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0/organizations/${ORGANIZATION}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.ok, await answer.text()).toBe(true)
  }
  const detail = (id: string) => api.get<Detail>(`/organizations/${ORGANIZATION}/issues/${id}/`)
  const innermost = (event: EventJson) => {
    const entry = event.entries.find(({ type }) => type === 'exception')
    return (entry?.data as unknown as Stack | undefined)?.values[0]?.stacktrace.frames.at(-1)
  }

  it('L60, L61: show the event as it was written, and the next one of the error is of the same issue, whose id, notes and state stay', async () => {
    const build = await minified(URL_OF_CODE, throwing('cart', 'pay'))
    await throwIn(build, 'before the maps', 'one@1')
    const { id } = await api.issue('before the maps')
    expect(innermost(await api.latestEvent(id))).toMatchObject({ filename: '/static/app.js' })
    await call('POST', `/issues/${id}/notes/`, { text: 'It is the till.' })
    await call('PUT', `/issues/${id}/`, { priority: 'low' })

    await upload(build, 'one@1')
    await until('the issue is called as it was written', async () =>
      (await detail(id)).culprit.includes('src/cart.ts') ? true : null,
    )
    const event = await api.latestEvent(id)
    expect(innermost(event)).toMatchObject({ filename: 'src/cart.ts', function: 'Till.pay' })
    expect(event.culprit).toContain('src/cart.ts')

    await throwIn(build, 'after the maps', 'one@1')
    expect((await api.issue('after the maps')).id).toBe(id)
    const after = await detail(id)
    expect(after).toMatchObject({ count: '2', status: 'unresolved', priority: 'low' })
    expect(after.activity.filter(({ type }) => type === 'note')).toMatchObject([{ data: { text: 'It is the till.' } }])
  })

  it('L61: make one issue of one error in two builds, to which both addresses lead', async () => {
    const [first, second] = await Promise.all([
      minified(URL_OF_CODE, throwing('purse', 'open')),
      minified(URL_OF_CODE, { ...throwing('purse', 'open') }, 'var a=function b(){return 1};a();'),
    ])
    await upload(first, 'two@1')
    await readable('two@1')
    await throwIn(first, 'of the first build', 'two@1')
    await throwIn(second, 'of the second build', 'two@2')
    const one = await api.issue('of the first build')
    const two = await api.issue('of the second build')
    expect(one.id).not.toBe(two.id)
    await upload(second, 'two@2')
    await until('both are one', async () => ((await detail(two.id)).id === (await detail(one.id)).id ? true : null))
    expect((await detail(two.id)).count).toBe('2')
  })

  it('L24: read by the newest upload of an address; once that is deleted, by the one before', async () => {
    const older = await minified(URL_OF_CODE, throwing('older', 'lend'))
    const newer = await minified(URL_OF_CODE, throwing('newer', 'lend'))
    await throwIn(older, 'of two uploads', 'three@1')
    const { id } = await api.issue('of two uploads')
    const shows = (file: string) =>
      until(`the event is read by ${file}`, async () =>
        innermost(await api.latestEvent(id))?.filename === file ? true : null,
      )
    await upload(older, 'three@1')
    await shows('src/older.ts')
    await upload(newer, 'three@1')
    await shows('src/newer.ts')
    const uploads = `/projects/${ORGANIZATION}/${server.account.project}/files/artifact-bundles/`
    const [newest] = await api.get<{ bundleId: string }[]>(`${uploads}?release=three@1`)
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${uploads}?bundleId=${newest?.bundleId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${server.account.token}` },
    })
    expect(answer.status).toBe(204)
    await shows('src/older.ts')
  })
})
