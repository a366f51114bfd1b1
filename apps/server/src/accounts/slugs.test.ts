import { slug } from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeSlug, slugify } from './slugs.ts'

describe('slugs', () => {
  it('are made of names', () => {
    expect(slugify('Müller & Söhne GmbH', 'x')).toBe('muller-sohne-gmbh')
    expect(slugify('  Web (React) ', 'x')).toBe('web-react')
    expect(slugify('日本', 'project')).toBe('project')
    expect(slugify('2026', 'project')).toBe('project-2026')
  })

  it('are always what the contract takes, and free', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 0, max: 12 }),
        async (name, taken) => {
          const wanted = slugify(name, 'project')
          let asked = 0
          const free = await freeSlug(wanted, () => Promise.resolve((asked += 1) <= taken))
          for (const result of [wanted, free]) expect(slug.safeParse(result).success, result).toBe(true)
          expect(free === wanted).toBe(taken === 0)
        },
      ),
    )
  })
})
