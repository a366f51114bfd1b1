import { describe, expect, it } from 'vitest'
import { commitLink, lineLink, lineTemplate, type Addressed } from './repository-links.ts'
import { suspectsOf, type ToldCommit } from './suspects.ts'

const commit = (id: string, ...files: string[]): ToldCommit => ({
  id,
  files,
  repository: 'acme/shop',
  message: id,
  author: { name: 'Ben', email: 'ben@shop.example' },
  committedAt: null,
})
const at = (...paths: string[]) => paths.map((path) => ({ path, line: 7 }))
const found = (paths: readonly string[], ...commits: ToldCommit[]) =>
  suspectsOf(at(...paths), commits).map(({ commit: { id }, file, equalParts }) => [id, file, equalParts])

describe('suspect commits', () => {
  it('L84: changed the file nearest to the throw, by the parts at the end of its path', () => {
    const commits = [commit('a', 'apps/web/src/cart.ts', 'readme.md'), commit('b', 'apps/web/src/pay.ts')]
    expect(found(['webpack://shop/./src/cart.ts?1a2b'], ...commits)).toEqual([['a', 'apps/web/src/cart.ts', 2]])
    expect(found(['src/other.ts', 'src/pay.ts', 'src/cart.ts'], ...commits)).toEqual([['b', 'apps/web/src/pay.ts', 2]])
    expect(found([String.raw`C:\shop\src\pay.ts`], ...commits)).toEqual([['b', 'apps/web/src/pay.ts', 2]])
  })

  it('L84: are found by the name of a file alone when the release has it once', () => {
    expect(found(['https://shop.example/pay.ts'], commit('a', 'lib/pay.ts'))).toEqual([['a', 'lib/pay.ts', 1]])
    expect(found(['https://shop.example/pay.ts'], commit('a', 'lib/pay.ts', 'web/pay.ts'))).toEqual([])
  })

  it('L84: are none where two files fit as well, or where many changed it', () => {
    const both = commit('a', 'web/src/cart.ts', 'app/src/cart.ts')
    expect(found(['src/cart.ts'], both)).toEqual([])
    expect(found(['app/src/cart.ts'], both)).toEqual([['a', 'app/src/cart.ts', 3]])
    const many = ['a', 'b', 'c', 'd'].map((id) => commit(id, 'src/cart.ts'))
    expect(found(['src/cart.ts'], ...many)).toEqual([])
    expect(found(['src/cart.ts'], ...many.slice(1)).map(([id]) => id)).toEqual(['b', 'c', 'd'])
    expect(found(['src/cart.ts'])).toEqual([])
  })
})

/** A repository of which nothing but its address is known. */
const of = (url: string | null): Addressed => ({ url, host: null, commitUrl: null, lineUrl: null })

describe('links into a repository', () => {
  it.each([
    ['https://github.com/acme/shop', 'blob/abc/src/a%20b/%23c.ts#L7', 'commit/abc'],
    ['https://gitlab.example/acme/shop', '-/blob/abc/src/a%20b/%23c.ts#L7', '-/commit/abc'],
    ['https://gitea.example/acme/shop', 'src/commit/abc/src/a%20b/%23c.ts#L7', 'commit/abc'],
    ['https://bitbucket.org/acme/shop', 'src/abc/src/a%20b/%23c.ts#lines-7', 'commits/abc'],
  ])('L85: lead to the line at %s', (url, line, page) => {
    const place = { commit: 'abc', path: 'src/a b/#c.ts', line: 7 }
    expect(lineLink(of(url), place)).toBe(`${url}/${line}`)
    expect(lineLink(of(`${url}.git/`), place)).toBe(`${url}/${line}`)
    expect(commitLink(of(url), 'abc')).toBe(`${url}/${page}`)
  })

  it('L85: are made of nothing but https addresses of hosts that are known', () => {
    const place = { commit: 'abc', path: 'a.ts', line: null }
    expect(lineLink(of('https://github.com/acme/shop'), place)).toBe('https://github.com/acme/shop/blob/abc/a.ts')
    for (const url of [
      null,
      'http://github.com/acme/shop',
      'https://git.example/x',
      'javascript:alert(1)//github',
      'x',
    ]) {
      expect([lineLink(of(url), place), commitLink(of(url), 'abc')]).toEqual([null, null])
    }
    expect(commitLink(of('https://user:secret@github.com/acme/shop?x=1#y'), '../..')).toBe(
      'https://github.com/acme/shop/commit/..%2F..',
    )
  })

  it('L85: are made by what the repository is said to be where its address does not say it', () => {
    const place = { commit: 'abc', path: 'a/b.ts', line: 3 }
    const own = { ...of('http://git.acme.test/shop'), host: 'gitea' as const }
    expect(lineLink(own, place)).toBe('http://git.acme.test/shop/src/commit/abc/a/b.ts#L3')
    expect(lineTemplate(own, { branch: 'fix/cart' })).toBe(
      'http://git.acme.test/shop/src/branch/fix/cart/{path}#L{line}',
    )
    expect(lineTemplate(of('https://github.com/acme/shop'), { branch: 'main' })).toBe(
      'https://github.com/acme/shop/blob/main/{path}#L{line}',
    )
    const other = {
      ...of('https://code.acme.test'),
      host: 'other' as const,
      commitUrl: 'https://code.acme.test/c/{commit}',
      lineUrl: 'https://code.acme.test/v?at={commit}&file={path}&line={line}',
    }
    expect(commitLink(other, 'a b')).toBe('https://code.acme.test/c/a%20b')
    expect(lineLink(other, { ...place, path: 'a/$&.ts' })).toBe(
      'https://code.acme.test/v?at=abc&file=a/%24%26.ts&line=3',
    )
    expect([commitLink({ ...other, commitUrl: null }, 'a'), lineLink({ ...other, lineUrl: null }, place)]).toEqual([
      null,
      null,
    ])
  })
})
