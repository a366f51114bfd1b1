import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeProjectSettings, readPreferences, readProjectSettings } from './settings-json.ts'
import { DEFAULT_PROJECT_SETTINGS } from './settings.ts'

describe('stored settings', () => {
  it('are read with defaults for whatever is absent or of another type, and always have the same shape', () => {
    expect(readProjectSettings('{}')).toEqual(DEFAULT_PROJECT_SETTINGS)
    expect(
      readProjectSettings('{"filters":{"localhost":true,"releases":["a",1],"odd":1},"allowedDomains":"x"}'),
    ).toEqual({
      ...DEFAULT_PROJECT_SETTINGS,
      filters: { ...DEFAULT_PROJECT_SETTINGS.filters, localhost: true, releases: ['a'] },
    })
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (json) => {
        const settings = readProjectSettings(json)
        expect(Object.keys(settings.filters)).toEqual(Object.keys(DEFAULT_PROJECT_SETTINGS.filters))
        expect(typeof settings.grouping.includeMessage).toBe('boolean')
        expect(typeof readPreferences(json).timezone).toBe('string')
      }),
    )
  })

  it('change in the fields that are given, and survive being written', () => {
    const changed = changeProjectSettings(DEFAULT_PROJECT_SETTINGS, {
      filters: { localhost: true },
      allowedDomains: ['*.example.com'],
    })
    expect(changed).toEqual({
      ...DEFAULT_PROJECT_SETTINGS,
      filters: { ...DEFAULT_PROJECT_SETTINGS.filters, localhost: true },
      allowedDomains: ['*.example.com'],
    })
    expect(readProjectSettings(JSON.stringify(changed))).toEqual(changed)
  })
})
