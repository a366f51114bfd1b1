import { describe, expect, it } from 'vitest'
import { aboutFile } from './about-file.ts'
import { referredAddress, uploadedAddresses } from './address.ts'
import { readManifest } from './bundle/manifest.ts'
import { plainDebugId } from './debug-id.ts'

const ID = '5b65abfb-2384-4e30-9bb3-8dc8f3bc1f2e'
const PLAIN = '5b65abfb23844e309bb38dc8f3bc1f2e'

describe('a debug id', () => {
  it.each([
    [ID, PLAIN],
    [ID.toUpperCase(), PLAIN],
    [PLAIN, PLAIN],
    [`${PLAIN}0`, PLAIN],
    [`${ID}-1a`, `${PLAIN}1a`],
    ['0'.repeat(32), null],
    ['xyz', null],
    [7, null],
  ])('L23 %s is %s', (text, plain) => {
    expect(plainDebugId(text)).toBe(plain)
  })
})

describe('the manifest of a bundle', () => {
  it('L22, L25 has the kind, address, debug id and map of each file', () => {
    const manifest = readManifest(
      JSON.stringify({
        org: 'acme',
        release: 'shop@1.0',
        debug_id: ID,
        files: {
          'files/_/_/app.js': {
            type: 'minified_source',
            url: '~/app.js',
            headers: { 'Debug-Id': ID, Sourcemap: 'app.js.map' },
          },
          'files/_/_/app.ram': { type: 'indexed_ram_bundle', url: '~/app.ram' },
          broken: 7,
        },
      }),
    )
    expect(manifest.ok && manifest.value).toEqual({
      release: 'shop@1.0',
      dist: null,
      debugId: PLAIN,
      files: [
        {
          name: 'files/_/_/app.js',
          kind: 'minified_source',
          type: 'minified_source',
          url: '~/app.js',
          debugId: PLAIN,
          sourceMap: 'app.js.map',
          headers: { 'debug-id': ID, sourcemap: 'app.js.map' },
        },
        {
          name: 'files/_/_/app.ram',
          kind: 'other',
          type: 'indexed_ram_bundle',
          url: '~/app.ram',
          debugId: null,
          sourceMap: null,
          headers: {},
        },
      ],
    })
  })

  it('L26 takes names that objects have of themselves as any other', () => {
    const manifest = readManifest(
      '{"files":{"__proto__":{"type":"source","url":"~/a","headers":{"__proto__":"x","constructor":"y"}}}}',
    )
    expect(manifest.ok && manifest.value.files.map(({ name }) => name)).toEqual(['__proto__'])
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false)
  })

  it.each(['', '[]', '{}', '{"files":[]}', '{"files":null}'])('is refused with a sentence when it is %j', (text) => {
    const manifest = readManifest(text)
    expect(manifest.ok ? '' : manifest.error).toContain('manifest.json')
  })
})

describe('what a file says of itself', () => {
  const ofCode = (code: string) => aboutFile('minified_source', code, code)

  it('L22, L36 is its last debug id and its last map', () => {
    const code = [
      '//# sourceMappingURL=inner.js.map',
      'let a',
      '//# sourceMappingURL=app.js.map',
      '',
      `//# debugId=${ID}`,
      '',
    ].join('\n')
    expect(ofCode(code)).toEqual({ debugId: PLAIN, sourceMap: 'app.js.map' })
    expect(ofCode('let a')).toEqual({ debugId: null, sourceMap: null })
  })

  it('is found in a time that grows with the file', () => {
    expect(ofCode('//# debugId='.repeat(200_000)).debugId).toBeNull()
    expect(ofCode(`${' '.repeat(1_000_000)}x`).sourceMap).toBeNull()
  })
})

describe('the addresses under which a file may be uploaded', () => {
  it.each([
    ['https://h/a/b.js?x=1#f', ['https://h/a/b.js?x=1', 'https://h/a/b.js', '~/a/b.js?x=1', '~/a/b.js']],
    ['app:///_next/x.js', ['app:///_next/x.js', '~/_next/x.js']],
    ['async https://h/b.js', ['https://h/b.js', '~/b.js']],
    ['https://h/%5Bid%5D.js', ['https://h/%5Bid%5D.js', '~/%5Bid%5D.js', 'https://h/[id].js', '~/[id].js']],
    ['/srv/app.js', ['/srv/app.js', '~/srv/app.js']],
    ['https://h/%E0%A4%A.js', ['https://h/%E0%A4%A.js', '~/%E0%A4%A.js']],
    ['', []],
  ])('L32, L35 %s', (address, forms) => {
    expect(uploadedAddresses(address)).toEqual(forms)
  })

  it.each([
    ['app.js.map', '~/static/app.js', '~/static/app.js.map'],
    ['../maps/app.js.map', 'https://h/static/js/app.js?v=1', 'https://h/static/maps/app.js.map'],
    ['../../../../app.js.map', 'https://h/a/app.js', 'https://h/app.js.map'],
    ['/app.js.map', 'https://h/a/app.js', 'https://h/app.js.map'],
    ['//cdn/app.js.map', 'https://h/a/app.js', 'https://cdn/app.js.map'],
    ['~/app.js.map', 'https://h/a/app.js', '~/app.js.map'],
    ['https://cdn/x.map', '~/a.js', 'https://cdn/x.map'],
    ['data:application/json,{}', '~/a.js', 'data:application/json,{}'],
    ['app.js.map', 'app:///_next/app.js', 'app:///_next/app.js.map'],
  ])('L36 %s beside %s is %s', (reference, from, address) => {
    expect(referredAddress(reference, from)).toBe(address)
  })
})
