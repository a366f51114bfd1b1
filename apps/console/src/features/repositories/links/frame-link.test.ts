import { describe, expect, it } from 'vitest'
import { frameLink } from './frame-link.ts'

const mapping = (stackRoot: string, sourceRoot: string, more: object = {}) => ({
  stackRoot,
  sourceRoot,
  lineUrl: 'https://github.com/acme/shop/blob/abc/{path}#L{line}',
  commit: 'abc' as string | null,
  repoName: 'acme/shop',
  defaultBranch: 'main',
  ...more,
})
const frame = (filename: string, more: object = {}) => ({ filename, path: '', line: 7, inApp: true, ...more })
const BASE = 'https://github.com/acme/shop/blob/abc'

describe('a frame in the repository', () => {
  it('L85: is at its line below the root that its file begins with, the longest first', () => {
    const mappings = [mapping('', 'web/'), mapping('src/', 'apps/web/src/'), mapping('src/lib/', 'packages/lib/')]
    const hrefOf = (place: ReturnType<typeof frame>) => frameLink(mappings, place)?.href
    expect(hrefOf(frame('src/cart.ts'))).toBe(`${BASE}/apps/web/src/cart.ts#L7`)
    expect(hrefOf(frame('./src/lib/a b#.ts'))).toBe(`${BASE}/packages/lib/a%20b%23.ts#L7`)
    expect(hrefOf(frame('/src/cart.ts'))).toBe(`${BASE}/apps/web/src/cart.ts#L7`)
    expect(hrefOf(frame('shop\\cart.py', { line: null }))).toBe(`${BASE}/web/shop/cart.py`)
    expect(frameLink([mapping('/app/', '')], frame('cart.py', { path: '/app/shop/cart.py' }))?.href).toBe(
      `${BASE}/shop/cart.py#L7`,
    )
  })

  it('has none where nobody said where it is', () => {
    expect(frameLink([], frame('src/cart.ts'))).toBeNull()
    expect(frameLink([mapping('', '')], frame('src/cart.ts', { inApp: false }))).toBeNull()
    expect(frameLink([mapping('src/', '')], frame('lib/cart.ts'))).toBeNull()
    expect(frameLink([mapping('', '')], frame('https://shop.example/app.js'))).toBeNull()
    expect(frameLink([mapping('', '', { lineUrl: null })], frame('a.ts'))).toBeNull()
    expect(frameLink([mapping('', '')], frame('../../etc/passwd'))).toBeNull()
  })

  it('says when its line may have moved since', () => {
    expect(frameLink([mapping('', '')], frame('a.ts'))?.title).toContain('as this release was built')
    expect(frameLink([mapping('', '', { commit: null })], frame('a.ts'))?.title).toContain('may have moved')
  })
})
