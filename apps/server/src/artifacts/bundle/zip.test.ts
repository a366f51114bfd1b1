import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { bytesOf, zipOf, type FileToZip } from './zip.fixture.ts'
import { listArchive, readArchived } from './zip.ts'

const contents = (archive: Uint8Array): Record<string, string> | string => {
  const bytes = bytesOf(archive)
  const files = listArchive(bytes)
  if (!files.ok) return files.error
  const read: Record<string, string> = {}
  for (const file of files.value) {
    const content = readArchived(bytes, file)
    if (!content.ok) return content.error
    read[file.name] = Buffer.from(content.value).toString()
  }
  return read
}

const one = (file: Partial<FileToZip>) => contents(zipOf([{ name: 'a.js', content: 'let a', ...file }]))

describe('an archive', () => {
  it.each([
    ['packed', {}],
    ['stored', { stored: true }],
  ])('gives the bytes of %s files', (_, how) => {
    const files = [
      { name: 'files/a.js', content: 'a'.repeat(5000), ...how },
      { name: 'empty', content: '', ...how },
      { name: 'files/', content: '', ...how },
    ]
    expect(contents(zipOf(files))).toEqual({ 'files/a.js': 'a'.repeat(5000), empty: '' })
  })

  it('L19 may have bytes in front, and a comment behind', () => {
    const archive = zipOf([{ name: 'a.js', content: 'let a' }], {
      prefix: 'SYSB\u0002\0\0\0',
      comment: 'PK\u0005\u0006 by hand',
    })
    expect(contents(archive)).toEqual({ 'a.js': 'let a' })
  })

  it.each<[string, Partial<FileToZip>]>([
    ['zip-slip', { name: '../a.js' }],
    ['zip-slip', { name: 'a/../../b.js' }],
    ['zip-slip', { name: '/etc/passwd' }],
    ['zip-slip', { name: 'C:x' }],
    ['zip-slip', { name: 'a\\b' }],
    ['zip-slip', { name: 'a\0b' }],
    ['zip-slip', { name: '' }],
    ['1024 are taken', { name: 'x'.repeat(1025) }],
    ['is a link', { attributes: 0xa1ff_0000 }],
    ['encrypted', { flags: 1 }],
    ['method 99', { method: 99 }],
    ['ZIP bomb', { content: 'a'.repeat(3_000_000) }],
    ['bytes unpacked', { size: LIMITS.ARCHIVE_FILE_BYTES + 1 }],
    ['says two things', { frontName: 'b.js' }],
    ['says two things', { frontSize: 4 }],
    ['larger than it says', { size: 4 }],
    ['not what its list says', { size: 6 }],
    ['not what its list says', { checksum: 7 }],
    ['damaged', { stored: true, size: 6 }],
  ])('L27 is refused as %s: %j', (word, file) => {
    expect(one(file)).toContain(word)
  })

  it('L27 is refused when files share bytes, when a name comes twice, and when there are too many', () => {
    const file = { name: 'a.js', content: 'x'.repeat(100) }
    expect(contents(zipOf([file, { ...file, name: 'a.js', sameAs: 0 }]))).toContain('twice')
    const front = { name: 'same', content: 'x'.repeat(100) }
    expect(contents(zipOf([front, { ...front, name: 'same', content: 'x'.repeat(100) }]))).toContain('twice')
    const inside = zipOf([{ name: 'inner', content: 'y' }])
    const outer = zipOf([{ name: 'a', content: inside, stored: true }])
    // The list of the outer one is made to name the file within the file.
    const within = outer.indexOf(Buffer.from('PK\u0003\u0004', 'latin1'), 4)
    const both = zipOf([
      { name: 'a', content: inside, stored: true },
      { name: 'inner', content: 'y', sameAs: 0 },
    ])
    both.writeUInt32LE(within, both.lastIndexOf(Buffer.from('inner')) - 4)
    expect(contents(both)).toContain('shares its bytes')
    const many = zipOf([file])
    many.writeUInt16LE(LIMITS.ARCHIVE_FILES + 1, many.length - 12)
    expect(contents(many)).toContain('50000 are taken')
  })

  it.each([
    ['nothing', ''],
    ['words', 'PK but no archive at all, and long enough to be one'],
    ['a page', '<!doctype html>'],
  ])('L14 is refused when it is %s', (_, text) => {
    expect(contents(Buffer.from(text))).toContain('no ZIP archive')
  })

  it('L14 is refused with a sentence wherever it is cut off or damaged', () => {
    const whole = zipOf([
      { name: 'manifest.json', content: '{"files":{}}' },
      { name: 'files/a.js', content: 'a'.repeat(300) },
    ])
    for (let length = 0; length < whole.length; length++)
      expect(typeof contents(whole.subarray(0, length))).toBe('string')
    const damaged = fc.check(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (edits) => {
          const copy = Buffer.from(whole)
          for (const [at, value] of edits) copy[at] = value
          const read = contents(copy)
          return typeof read === 'string' ? read.endsWith('.') : Object.keys(read).length <= 2
        },
      ),
      { numRuns: 20_000 },
    )
    expect(damaged.counterexample).toBeNull()
  })
})
