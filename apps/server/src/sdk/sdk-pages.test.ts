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
    writeFileSync(join(dir, 'js-sdk-loader.js'), 'load("%FIRSTHAND_PROJECT%")')
    pages = createSdkPages({ dir, projectOf: (key) => Promise.resolve(key === 'known' ? 42 : null) })
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> => {
    const page = pages.find(
      (one) => path === one.path || path.startsWith(one.path.replace('*', '\n').split('\n')[0] ?? ''),
    )
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

  it('the loader of a key knows its project; without one it is a script that does nothing', async () => {
    for (const path of ['/js-sdk-loader/known.min.js', '/js-sdk-loader/known.js']) {
      const answer = await ask(path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, 'load("42")'])
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    }
    for (const path of ['/js-sdk-loader/other.min.js', '/js-sdk-loader/known.min.css', '/js-sdk-loader/']) {
      const answer = await ask(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/javascript; charset=utf-8',
      ])
      expect(await answer.text()).toMatch(/^\/\/ No project has this key.*\n$/)
    }
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
