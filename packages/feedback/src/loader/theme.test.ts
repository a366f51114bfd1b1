import { describe, expect, it } from 'vitest'
import { STYLES as DIALOG_STYLES } from '../dialog/styles.ts'
import { STYLES } from './styles.ts'
import { COLORS, propertyOf, themeOf } from './theme.ts'

describe('the theme', () => {
  it('has the same colours where nothing is chosen as where a page’s own are completed', () => {
    // Those of the trigger are set in the first file; the dialog falls back to the others where it uses them.
    for (const [name, [light, dark]] of Object.entries(COLORS)) {
      const color = `light-dark(${light},${dark})`
      const isSet = STYLES.includes(`${propertyOf(name)}:${color}`)
      expect(isSet || DIALOG_STYLES.includes(`var(${propertyOf(name)},${color})`), name).toBe(true)
    }
  })

  it('completes what was chosen for one of light and dark', () => {
    const css = themeOf({ themeLight: { background: 'pink' }, themeDark: { boxShadow: 'none' } }, 'dark')
    expect(css).toContain('--background:light-dark(pink,#1a1a18)')
    expect(css).toContain('--box-shadow:none')
    expect(themeOf({ themeDark: { boxShadow: 'none' } }, 'light')).not.toContain('--box-shadow')
  })
})
