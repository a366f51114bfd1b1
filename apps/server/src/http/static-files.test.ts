import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStaticFiles } from './static-files.ts'

describe('a built file', () => {
  let dir = ''
  let file = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'firsthand-static-'))
    file = join(dir, 'page.html')
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('has the tag of what is in it now, however often it was asked for', async () => {
    const files = createStaticFiles()
    const ask = async (known = ''): Promise<Response> => {
      const request = new Request('http://localhost/page.html', { headers: { 'if-none-match': known } })
      const answer = await files.answer(request, file, { 'cache-control': 'no-cache' })
      if (answer === null) throw new Error('There is no file.')
      return answer
    }
    writeFileSync(file, 'before')
    utimesSync(file, 1000, 1000)
    const tag = (await ask()).headers.get('etag') ?? ''
    expect((await ask(tag)).status).toBe(304)
    // As long as before, so that only its time tells.
    writeFileSync(file, 'behind')
    utimesSync(file, 2000, 2000)
    const changed = await ask(tag)
    expect([changed.status, await changed.text()]).toEqual([200, 'behind'])
    expect(changed.headers.get('etag')).not.toBe(tag)
  })

  it('is null when there is none, or when it is a folder', async () => {
    const files = createStaticFiles()
    const request = new Request('http://localhost/')
    expect(await files.answer(request, join(dir, 'none.html'), {})).toBeNull()
    expect(await files.answer(request, dir, {})).toBeNull()
  })
})
