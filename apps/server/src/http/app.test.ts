import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  ENDPOINTS,
  getAuthInfo,
  getEventAttachment,
  getSharedReplayChunk,
  listIssues,
  updateOrganization,
} from '@firsthand/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { currentCaller } from '../lib/caller-context.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'
import { Unanswerable } from '../lib/unanswerable.ts'
import { LIMITS } from './limits.ts'
import { bind, bindFor } from './bind.ts'
import { CONTENT_SECURITY_POLICY } from './security-headers.ts'
import { STILL_PAGE_POLICY } from './still-page.ts'
import { createTestApp } from './test/app.ts'
import type { TestApp } from './test/app.ts'

let test: TestApp

const start = async (more: Parameters<typeof createTestApp>[0] = {}): Promise<TestApp> => {
  test = await createTestApp(more)
  return test
}

afterEach(() => test.close())

describe('answers', () => {
  it('say what is wrong with which field, of body and query', async () => {
    await start()
    const owner = await test.owner()
    const body = await owner.call('PUT', '/organizations/acme/', { name: '', retentionDays: 4000 })
    expect(body.status).toBe(400)
    expect(Object.keys(body.body.fields).toSorted()).toEqual(['name', 'retentionDays'])
    expect(body.body.detail).toContain('body')
    const query = await owner.call('GET', '/organizations/acme/issues/?limit=-1&sort=odd&statsPeriod=fortnight')
    expect(query.status).toBe(400)
    expect(Object.keys(query.body.fields).toSorted()).toEqual(['limit', 'sort', 'statsPeriod'])
  })

  it('give a full page to whoever asks for more, and know both names that Sentry has for its length', async () => {
    const seen: unknown[] = []
    const route = bind(listIssues, ({ query }) => {
      seen.push(query.limit)
      return { body: [] }
    })
    await start({ routes: [route] })
    const owner = await test.owner()
    for (const query of ['limit=10000', 'per_page=30', 'limit=20&per_page=30', 'per_page=', '']) {
      expect((await owner.call('GET', `/organizations/acme/issues/?${query}`)).status).toBe(200)
    }
    expect(seen).toEqual([100, 30, 20, undefined, undefined])
    expect((await owner.call('GET', '/organizations/acme/issues/?per_page=x')).status).toBe(400)
    // There `limit` is no length of a page, and 100 its maximum.
    expect((await owner.call('GET', '/organizations/acme/issues/1/tags/?per_page=1000')).status).toBe(200)
  })

  it('are of the route that takes the query, and else of the one that takes any', async () => {
    const usual = bind(listIssues, () => ({ body: [], hits: 1 }))
    const other = bindFor(
      listIssues,
      ({ query }) => query === 'other',
      () => ({ body: [], hits: 2 }),
    )
    await start({ routes: [usual, other] })
    const owner = await test.owner()
    const hits = async (query: string) =>
      (await owner.call('GET', `/organizations/acme/issues/?query=${query}`)).headers.get('x-hits')
    expect([await hits('other'), await hits('more'), await hits('')]).toEqual(['2', '1', '1'])
    await test.close()
    await expect(start({ routes: [other] })).rejects.toThrow('needs one route')
    await expect(start({ routes: [usual, usual] })).rejects.toThrow('needs one route')
    await start()
  })

  it.each([
    ['POST', '/projects/acme/web/files/proguard-artifact-releases/', 'uploads of other kinds'],
    ['POST', '/projects/acme/web/releases/1.0/deploys/', 'deploys'],
    ['POST', '/projects/acme/web/files/preprodartifacts/assemble/', 'builds'],
    ['GET', '/organizations/acme/combined-rules/?cursor=', 'older kinds of alerts'],
    ['PUT', '/organizations/acme/workflows/?id=1', 'one at a time'],
    ['DELETE', '/organizations/acme/detectors/?id=1', 'one at a time'],
    ['GET', '/organizations/acme/available-actions/', 'what alerts can do'],
    ['POST', '/organizations/acme/notifications/actions/', 'what alerts can do'],
    ['PUT', '/organizations/acme/pinned-searches/', 'saved searches'],
    ['POST', '/organizations/acme/sentry-apps/', 'channels'],
    ['GET', '/organizations/acme/issues/1/autofix/', 'Sentry’s AI'],
    ['GET', '/organizations/acme/agents/conversations/', 'Sentry’s AI'],
    ['GET', '/organizations/acme/events-dropped/', 'stats_v2/'],
    ['GET', '/customers/acme/', 'nothing of it is sold'],
  ])(
    'tell Sentry’s programs in words what there is not yet, not that their organisation is missing: %s %s',
    async (method, path, words) => {
      await start()
      const owner = await test.owner()
      const { status, body } = await owner.call(method, path)
      expect([status, body.detail]).toEqual([501, expect.stringContaining(words)])
      // Others learn of such an address what they learn of any other.
      const stranger = test.visitor()
      expect((await stranger.call(method, path)).status).toBe(401)
      expect((await stranger.call(method, path, undefined, { authorization: 'Bearer no-such-token' })).status).toBe(401)
      const neighbour = await test.owner('beta')
      expect((await neighbour.call(method, path)).status).toBe(404)
    },
  )

  it.each(['group-search-views', 'integrations', 'notifications/actions', 'sentry-app-installations', 'sentry-apps'])(
    'answer Sentry’s programs an empty list of what nobody has here: %s',
    async (name) => {
      await start()
      const owner = await test.owner()
      const path = `/organizations/acme/${name}/?per_page=25`
      expect(await owner.call('GET', path)).toMatchObject({ status: 200, body: [] })
      expect((await test.visitor().call('GET', path)).status).toBe(401)
      const neighbour = await test.owner('beta')
      expect((await neighbour.call('GET', path)).status).toBe(404)
    },
  )

  it.each([
    ['GET', '/organizations/acme/nonsense/'],
    ['GET', '/organizations/'],
    ['GET', '/repos/acme/web/'],
    ['POST', '/organizations/acme/releases-of-yesterday/'],
  ])('know nothing of %s %s', async (method, path) => {
    await start()
    const owner = await test.owner()
    expect((await owner.call(method, path)).status).not.toBe(501)
  })

  it('refuse an address that would make a header no client reads', async () => {
    await start({ routes: [bind(listIssues, () => ({ body: [], page: { next: '0:100:0', previous: null } }))] })
    const owner = await test.owner()
    const ask = (characters: number) => owner.call('GET', `/organizations/acme/issues/?x=${'x'.repeat(characters)}`)
    expect((await ask(3000)).status).toBe(200)
    const refused = await ask(7000)
    expect(refused.status).toBe(414)
    expect(refused.body.detail).toContain('shorter query')
  })

  it('hand lists, numbers and defaults of a query to the function, and cursors and hits back', async () => {
    const seen: unknown[] = []
    await start({
      routes: [
        bind(listIssues, ({ query, request }) => {
          seen.push(query, request.organization.slug, request.caller.user?.email)
          return { body: [], page: { next: '0:100:0', previous: null }, hits: 7 }
        }),
      ],
    })
    const owner = await test.owner()
    const reply = await owner.call('GET', '/organizations/acme/issues/?project=1&project=2&limit=25&query=&cursor=')
    expect(seen).toEqual([{ project: ['1', '2'], limit: 25, query: '', sort: 'date' }, 'acme', 'owner@acme.example'])
    expect(reply.headers.get('x-hits')).toBe('7')
    expect(reply.headers.get('link')).toMatch(
      /^<http:\/\/localhost\/api\/0\/organizations\/acme\/issues\/\?[^>]+>; rel="previous"; results="false"; cursor="", <[^>]+cursor=0%3A100%3A0>; rel="next"; results="true"; cursor="0:100:0"$/,
    )
  })

  it('refuse bodies that are too large, not JSON, not UTF-8 or not declared as JSON', async () => {
    await start()
    const owner = await test.owner()
    const put = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
      test.send('/api/0/organizations/acme/', {
        method: 'PUT',
        headers: { 'content-type': type, cookie: owner.cookie, 'x-csrf-token': owner.csrf, host: 'localhost' },
        body,
      })
    expect((await put('{"name":"A"}')).status).toBe(200)
    expect((await put('{"name":')).status).toBe(400)
    expect((await put('['.repeat(500_000))).status).toBe(400)
    expect((await put(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
    expect((await put('{"name":"A"}', 'text/plain')).status).toBe(415)
    expect((await put(`{"name":"${'x'.repeat(LIMITS.API_BODY_BYTES)}"}`)).status).toBe(413)
    expect((await put('{"__proto__":{"name":"polluted"},"constructor":1}')).status).toBe(200)
    expect(({} as { name?: string }).name).toBeUndefined()
  })

  it('parse neither what is nested without end nor much of somebody who is not known', async () => {
    await start()
    const owner = await test.owner()
    const nested = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`
    const put = (body: string) => owner.call('PUT', '/organizations/acme/', JSON.parse(body))
    expect((await put(nested(LIMITS.API_JSON_DEPTH - 1))).body.detail).toContain('name')
    expect((await put(nested(LIMITS.API_JSON_DEPTH))).body.detail).toContain('deeper than')
    const logIn = (password: string) =>
      test.visitor().call('POST', '/auth/login/', { email: 'eve@acme.example', password })
    expect((await logIn('x'.repeat(LIMITS.API_STRANGER_BODY_BYTES))).status).toBe(413)
    expect((await logIn('x'.repeat(500))).body.detail).toContain('password')
  })

  it('say of a read that was refused why, and when to come again', async () => {
    const reasons = ['slow', 'busy', 'lost', 'unchanged', 'preparing'] as const
    let reason: (typeof reasons)[number] = 'slow'
    const route = bind(listIssues, () => {
      throw new StatementRefusal(reason)
    })
    await start({ routes: [route] })
    const owner = await test.owner()
    const said: string[] = []
    for (reason of reasons) {
      const { status, body, headers } = await owner.call('GET', '/organizations/acme/issues/')
      expect([status, headers.get('retry-after')]).toEqual([503, String(LIMITS.READ_RETRY_SECONDS)])
      said.push(body.detail)
    }
    expect(said[0]).toBe(
      'This search takes too long: it was stopped after 5 seconds, so that others need not wait for it. Narrow it, for example to one project or a shorter time.',
    )
    expect(new Set(said).size).toBe(reasons.length)
  })

  it('say of a question that cannot be answered what is wrong with it, and no more', async () => {
    const route = bind(listIssues, async () => {
      await Promise.resolve()
      throw new Unanswerable('The dataset "dragons" is not there.')
    })
    await start({ routes: [route] })
    const { status, body } = await (await test.owner()).call('GET', '/organizations/acme/issues/')
    expect([status, body]).toEqual([400, { detail: 'The dataset "dragons" is not there.' }])
    expect(test.lines.filter((entry) => entry.includes('dragons'))).toEqual([])
  })

  it("count what a route reads as its caller's", async () => {
    const asked: unknown[] = []
    const route = bind(listIssues, async () => {
      await Promise.resolve()
      asked.push(currentCaller())
      return { body: [] }
    })
    await start({ routes: [route] })
    const owner = await test.owner()
    await owner.call('GET', '/organizations/acme/issues/')
    expect(asked).toEqual([{ organizationId: 1, caller: 'user:1' }])
    expect(currentCaller()).toBeNull()
  })

  it('turn what nobody expected into a digest that the log has, with the stack and its causes', async () => {
    await start({
      routes: [
        bind(listIssues, () => {
          throw new Error('the store is on fire', { cause: new Error('lightning') })
        }),
      ],
    })
    const owner = await test.owner()
    const ask = () => owner.call('GET', '/organizations/acme/issues/')
    const [reply, again] = await Promise.all([ask(), ask()])
    expect(again.body.digest).toBe(reply.body.digest)
    expect(reply.status).toBe(500)
    expect(reply.body.detail).not.toContain('fire')
    expect(reply.body.digest).toMatch(/^[0-9a-f]{12}$/)
    const line = test.lines.find((entry) => entry.includes(reply.body.digest))
    expect(line).toContain('the store is on fire')
    expect(line).toContain('lightning')
    expect(line).toContain('app.test.ts')
  })

  it('are compressed when they are long and the caller can read it', async () => {
    await start()
    const plain = await test.send('/api/0/openapi.json')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const packed = await test.send('/api/0/openapi.json', { headers: { 'accept-encoding': 'br, gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const document = JSON.parse(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()) as { paths: object }
    expect(document).toEqual(await plain.json())
    expect(Object.keys(document.paths).length).toBe(new Set(Object.values(ENDPOINTS).map(({ path }) => path)).size)
  })

  it('are files that are compressed for whoever takes them so, where that is worth it', async () => {
    const headers = { 'content-type': 'application/json' }
    await start({
      routes: [bind(getEventAttachment, () => ({ bytes: Buffer.from('[1,2]'), compress: true, headers }))],
    })
    const owner = await test.owner()
    const path = '/projects/acme/web/events/1/attachments/1/?download=1'
    const plain = await owner.call('GET', path)
    expect([plain.body, plain.headers.get('content-encoding'), plain.headers.get('content-length')]).toEqual([
      [1, 2],
      null,
      '5',
    ])
    const packed = await owner.call('HEAD', path, undefined, { 'accept-encoding': 'gzip' })
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
  })

  it('R11 are parts of files for whoever asks for one, where that can be', async () => {
    let pieces = 0
    const file = () => ({
      byteLength: 10,
      pieces: (async function* () {
        for (const text of ['12', '345', '67891']) {
          pieces += 1
          yield Buffer.from(text)
        }
      })(),
    })
    const headers = { 'content-type': 'video/mp4', etag: '"a"' }
    const route = bind(getEventAttachment, ({ params }) => ({
      bytes: params.event === '1' ? file() : Buffer.from('1234567891'),
      inParts: true,
      headers,
    }))
    await start({ routes: [route] })
    const owner = await test.owner()
    const ask = async (event: number, more: Readonly<Record<string, string>>) => {
      const path = `/projects/acme/web/events/${event}/attachments/1/?download=1`
      const { body, headers: sent, status } = await owner.call('GET', path, undefined, more)
      expect(sent.get('x-content-type-options')).toBe('nosniff')
      return [status, status === 416 ? null : body, sent.get('content-range'), sent.get('content-length')]
    }
    for (const event of [1, 2]) {
      expect(await ask(event, {})).toEqual([200, 1234567891, null, '10'])
      expect(await ask(event, { range: 'bytes=1-3' })).toEqual([206, 234, 'bytes 1-3/10', '3'])
      expect(await ask(event, { range: 'bytes=-2' })).toEqual([206, 91, 'bytes 8-9/10', '2'])
      expect(await ask(event, { range: 'bytes=7-', 'if-range': '"a"' })).toEqual([206, 891, 'bytes 7-9/10', '3'])
      // It is another file by now.
      expect(await ask(event, { range: 'bytes=7-', 'if-range': '"b"' })).toEqual([200, 1234567891, null, '10'])
      expect(await ask(event, { range: 'bytes=0-1,4-5' })).toEqual([200, 1234567891, null, '10'])
      expect((await ask(event, { range: 'bytes=10-' })).slice(0, 3)).toEqual([416, null, 'bytes */10'])
    }
    pieces = 0
    await ask(1, { range: 'bytes=0-1' })
    expect(pieces).toBe(1)
  })

  it('hold no file and no live stream for those who ask for the headers alone', async () => {
    const bytes = new Uint8Array(LIMITS.FILES_UNDER_WAY_BYTES / LIMITS.FILES_OWNER_PARTS)
    await start({ routes: [bind(getEventAttachment, () => ({ bytes, headers: { 'content-type': 'image/png' } }))] })
    const owner = await test.owner()
    const path = '/projects/acme/web/events/1/attachments/1/?download=1'
    for (let time = 1; time <= 3; time += 1) {
      const { headers, status } = await owner.call('HEAD', path)
      expect([status, headers.get('content-length')]).toEqual([200, String(bytes.byteLength)])
      expect((await owner.call('HEAD', '/organizations/acme/live/')).status).toBe(200)
    }
    expect(test.live.size).toBe(0)
  })

  it('that strangers do not read to their end keep those out who share their owner, and nobody else', async () => {
    const bytes = new Uint8Array(LIMITS.FILES_UNDER_WAY_BYTES / LIMITS.FILES_OWNER_PARTS)
    const route = bind(getSharedReplayChunk, ({ params }) => ({ bytes, headers: {}, owner: `link:${params.token}` }))
    await start({ routes: [route] })
    const ask = (link: string) => test.send(`/api/0/shared-replays/${link}/chunks/1/`)
    const [slow, same, other] = [await ask('one'), await ask('one'), await ask('other')]
    expect([slow.status, same.status, other.status]).toEqual([200, 503, 200])
    await slow.body?.cancel()
    await other.body?.cancel()
  })

  it('work without the final slash, and say 404 in JSON for what is no endpoint', async () => {
    await start()
    expect((await test.visitor().call('GET', '/setup')).status).toBe(200)
    const reply = await test.visitor().call('GET', '/nothing/here/')
    expect([reply.status, reply.body]).toEqual([404, { detail: 'The requested resource does not exist' }])
  })
})

describe('health', () => {
  it('is 200 when ready, else 503', async () => {
    let ready = false
    await start({ options: { isReady: () => ready } })
    expect((await test.send('/_health/')).status).toBe(503)
    ready = true
    const reply = await test.send('/_health/')
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok' }])
    expect((await test.send('/_health')).status).toBe(200)
  })
})

describe('headers', () => {
  it('forbid inline script and style, framing and sniffing on every kind of answer', async () => {
    await start()
    expect(CONTENT_SECURITY_POLICY).not.toContain('unsafe')
    for (const path of [
      '/',
      '/issues/1/',
      '/assets/none.js',
      '/_health/',
      '/api/0/',
      '/api/0/nothing/',
      '/api/0/organizations/',
    ]) {
      const { headers } = await test.send(path)
      expect(headers.get('content-security-policy'), path).toBe(CONTENT_SECURITY_POLICY)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
      expect(headers.get('strict-transport-security'), path).toBeNull()
    }
  })

  it('R65 The still page fetches nothing, runs nothing, and lets itself be framed by the console only', async () => {
    await start()
    const page = await test.send('/still/')
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<body></body>')])
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toBe(STILL_PAGE_POLICY)
    const parts = new Map(policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]))
    expect(parts.get('default-src')).toEqual(["'none'"])
    for (const [name, sources] of parts) {
      if (name?.endsWith('-src') === true)
        expect(sources, name).not.toContainEqual(expect.stringMatching(/self|:\/|\*|blob|https?:/))
    }
    expect(parts.get('style-src')).toEqual(["'unsafe-inline'"])
    expect([...parts.keys()]).not.toContain('script-src')
    expect(parts.get('frame-ancestors')).toEqual(["'self'"])
    expect(parts.get('sandbox')).toEqual(['allow-same-origin'])
    expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  })

  it('ask for HTTPS only where it is HTTPS', async () => {
    await start({ publicUrl: 'https://firsthand.example' })
    expect((await test.send('/')).headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/)
  })
})

describe('console', () => {
  it('explains itself while it is not built', async () => {
    await start()
    const reply = await test.send('/')
    expect(reply.status).toBe(503)
    expect(await reply.text()).toContain('npm start')
  })

  it('serves assets for ever, precompressed where that was done, and the page for every other address', async () => {
    await start()
    const dir = join(test.dir, 'console')
    await mkdir(join(dir, 'assets'), { recursive: true })
    await writeFile(join(dir, 'index.html'), '<!doctype html>the page')
    await writeFile(join(dir, 'assets', 'app-1a2b3c.js'), 'plain()')
    await writeFile(join(dir, 'assets', 'app-1a2b3c.js.br'), 'packed')
    await writeFile(join(test.dir, 'secret.txt'), 'secret')

    const page = await test.send('/organizations/acme/issues/1/?query=is%3Aunresolved')
    expect([page.status, await page.text()]).toEqual([200, '<!doctype html>the page'])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const again = await test.send('/', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)

    const asset = await test.send('/assets/app-1a2b3c.js')
    expect(await asset.text()).toBe('plain()')
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const packed = await test.send('/assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'gzip, br' } })
    expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['br', 'packed'])

    expect((await test.send('/assets/gone-1.js')).status).toBe(404)
    for (const path of ['/robots.txt', '/.env', '/wp-login.php', '/sdk-10.min.js', '/organizations/acme/x.map']) {
      const reply = await test.send(path)
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 404, 'text/plain; charset=utf-8'])
    }
    for (const path of ['/index.html', '/organizations/acme/releases/1.2.3', '/organizations/acme/issues/']) {
      const reply = await test.send(path)
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    }
    for (const path of [
      '/api',
      '/api/',
      '/api/42/other/',
      '/sentry/api/0/organizations/',
      '//api/0/',
      '/api/0/x.json',
    ]) {
      const reply = await test.send(path)
      expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 404, 'application/json'])
    }
    for (const path of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/%00',
      '/%ff',
    ]) {
      const reply = await test.send(path)
      expect(await reply.text(), path).not.toContain('secret')
    }
    expect((await test.send('/', { method: 'POST' })).status).toBe(405)
  })
})

describe('checked answers', () => {
  it('find a function that does not keep to its endpoint', async () => {
    await start({
      options: { checkAnswers: true },
      routes: [],
    })
    const owner = await test.owner()
    expect((await owner.call('GET', '/')).status).toBe(200)
    expect(getAuthInfo.ok.safeParse({ version: 1 }).success).toBe(false)
    expect((await owner.call('PUT', '/organizations/acme/', { name: 'Other' })).status).toBe(200)
    expect(updateOrganization.scope).toBe('org:write')
  })
})
