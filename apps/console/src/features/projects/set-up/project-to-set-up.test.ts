import { describe, expect, it } from 'vitest'
import { projectToSetUp } from './project-to-set-up.ts'

const PROJECTS = [
  { id: '1', slug: 'shop' },
  { id: '2', slug: 'warehouse' },
]

describe('the project that an empty list offers to set up', () => {
  it('is the one that is looked at, by its id or its slug', () => {
    expect(projectToSetUp(PROJECTS, ['2'])?.slug).toBe('warehouse')
    expect(projectToSetUp(PROJECTS, ['warehouse'])?.slug).toBe('warehouse')
  })

  it('is the first while all are looked at, and none where there is none', () => {
    expect(projectToSetUp(PROJECTS, [])?.slug).toBe('shop')
    expect(projectToSetUp([], [])).toBeNull()
  })
})
