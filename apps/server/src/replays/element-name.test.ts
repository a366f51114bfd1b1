import { describe, expect, it } from 'vitest'
import { nameOf } from './element-name.ts'
import { LIMITS } from './limits.ts'

const NOTHING = { tag: '', id: '', classes: [], role: '', alt: '', testid: '', ariaLabel: '', title: '', component: '' }

describe('what an element that was clicked is called', () => {
  it('has its role and what a screen reader says of it, before what stands on it', () => {
    const called = (more: Partial<Parameters<typeof nameOf>[0]>, text = '') => {
      const { name, role } = nameOf({ ...NOTHING, ...more }, text)
      return [role, name]
    }
    expect(called({ tag: 'button' }, '  Pay\n now ')).toEqual(['button', 'Pay now'])
    expect(called({ tag: 'a', ariaLabel: 'Home' }, '⌂')).toEqual(['link', 'Home'])
    expect(called({ tag: 'div', role: 'menuitem' }, 'Copy')).toEqual(['menu item', 'Copy'])
    expect(called({ tag: 'img', alt: 'A kettle', title: 'Kettle' })).toEqual(['image', 'A kettle'])
    expect(called({})).toEqual(['', ''])
    expect(called({ tag: 'p' }, 'x'.repeat(500))[1]).toHaveLength(LIMITS.REPLAY_ELEMENT_CHARS)
  })

  it('does not read masked text as a name, and tells it apart by what stands in the code', () => {
    const handle = (more: Partial<Parameters<typeof nameOf>[0]>) =>
      nameOf({ ...NOTHING, tag: 'button', ...more }, '*** ***')
    expect(handle({ id: 'pay', classes: ['buy'] })).toEqual({ role: 'button', name: '', handle: '#pay' })
    expect(handle({ ariaLabel: '••• ••••', testid: 'pay' })).toEqual({ role: 'button', name: '', handle: '[pay]' })
    expect(handle({ component: 'PayButton' }).handle).toBe('<PayButton>')
    expect(handle({ classes: ['sc-kXyz', 'css-1a2b', 'Button_root__x', 'buy'] }).handle).toBe('.buy')
    expect(handle({ classes: ['sc-kXyz'] }).handle).toBe('')
  })
})
