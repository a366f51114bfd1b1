import { describe, expect, it } from 'vitest'
import { PLATFORMS, platformOf, readDsn } from './platforms.ts'

const DSN = 'https://0123456789abcdef@errors.example.com/prefix/42'

describe('readDsn', () => {
  it('splits key, project id and origin with its prefix', () => {
    expect(readDsn(DSN)).toEqual({
      dsn: DSN,
      origin: 'https://errors.example.com/prefix',
      publicKey: '0123456789abcdef',
      projectId: '42',
    })
  })
})

describe('platforms', () => {
  it.each(PLATFORMS.map((platform) => [platform.id, platform] as const))(
    '%s shows the DSN or its parts',
    (_, platform) => {
      const steps = platform.steps(readDsn(DSN))
      expect(steps.some((step) => step.code?.includes(DSN))).toBe(true)
      expect(steps.every((step) => step.title !== '')).toBe(true)
    },
  )

  it('has every id once', () => {
    expect(new Set(PLATFORMS.map((platform) => platform.id)).size).toBe(PLATFORMS.length)
  })

  it('an unknown platform is "other"', () => {
    expect(platformOf('cobol').id).toBe('other')
  })
})
