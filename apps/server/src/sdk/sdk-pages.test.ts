import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../http/index.ts'
import { createSdkPages } from './sdk-pages.ts'

describe('the files of the script tag', () => {
  let dir = ''
  let pages: readonly Page[] = []
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'firsthand-sdk-'))
    mkdirSync(join(dir, 'sdk'))
    writeFileSync(join(dir, 'secret.js'), 'secret')
    writeFileSync(join(dir, 'sdk.js'), 'the script')
    writeFileSync(join(dir, 'sdk.js.gz'), gzipSync('the script'))
    writeFileSync(join(dir, 'sdk', 'Ab_c-123.js'), 'a part')
    pages = createSdkPages({ dir })
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> => {
    const page = pages[path === '/sdk.js' ? 0 : 1]
    if (page === undefined) throw new Error('there is no page')
    return page.handle(new Request(`http://localhost${path}`, { method, headers }))
  }

  it('the script is fresh for five minutes, a part for ever', async () => {
    expect((await ask('/sdk.js')).headers.get('cache-control')).toBe('public, max-age=300')
    const part = await ask('/sdk/Ab_c-123.js')
    expect(part.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await part.text()).toBe('a part')
  })

  it('each way of packing has a tag of its own', async () => {
    const plain = await ask('/sdk.js', { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'the script'])
    const packed = await ask('/sdk.js', { 'accept-encoding': 'br, gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('accept-encoding')
    const tag = packed.headers.get('etag') ?? ''
    expect(tag).not.toBe(plain.headers.get('etag'))
    expect((await ask('/sdk.js', { 'accept-encoding': 'gzip', 'if-none-match': `"x", W/${tag}` })).status).toBe(304)
    expect((await ask('/sdk.js', { 'if-none-match': tag })).status).toBe(200)
  })

  it('HEAD has no body', async () => {
    const answer = await ask('/sdk.js', {}, 'HEAD')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  it.each([
    '/sdk/none123.js',
    '/sdk/..%2Fsecret.js',
    '/sdk/%2e%2e/secret.js',
    '/sdk/Ab_c-123.js.gz',
    '/sdk/',
    '/sdk/%00.js',
  ])('%s is not there', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})
