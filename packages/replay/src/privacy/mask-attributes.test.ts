import { describe, expect, it } from 'vitest'
import { settingsOf } from '../options.ts'
import { type AttributeMasker, createAttributeMasker } from './mask-attributes.ts'
import type { Rules } from './rules.ts'
import { createSheetAttributes } from './sheet-attributes.ts'

const elementOf = (localName: string): Element => ({ localName, tagName: localName.toUpperCase() }) as Element

const maskerOf = (css = '', isMasked = true): AttributeMasker => {
  const sheets = createSheetAttributes()
  sheets.learn(css)
  const rules = { isMasked: () => isMasked, isSecret: () => false } as unknown as Rules
  return createAttributeMasker(settingsOf({}), rules, sheets)
}

const recorded = (tag: string, name: string, value: string, masker = maskerOf()): unknown => {
  const attributes = { [name]: value }
  masker.mask(attributes, elementOf(tag), undefined)
  return attributes[name]
}

describe('R93 Attributes', () => {
  it.each([
    ['li', 'data-mounted', 'true'],
    ['div', 'data-collapsible', 'icon'],
    ['div', 'data-radius', 'large'],
    ['div', 'data-anything', 'off'],
    ['vaadin-button', 'theme', 'primary small'],
    ['ui5-button', 'design', 'Emphasized'],
    ['div', 'data-react-class', 'UserCard'],
    ['div', 'data-test-id', 'greeting'],
    ['div', 'data-count', '12'],
  ])('what says how something looks stays: %s %s=%s', (tag, name, value) => {
    expect(recorded(tag, name, value)).toBe(value)
  })

  it.each([
    ['div', 'data-react-props', '{"name":"Ann"}', '**************'],
    ['div', 'data-test-user', 'Ann', '***'],
    ['div', 'data-testid', 'Ann Lee', '*** ***'],
    ['div', 'data-testid', 'ann@shop.example', '****************'],
    ['div', 'data-status', 'Ann Lee', '*** ***'],
    ['div', 'data-when', 'now', '***'],
    ['user-chip', 'name', 'Ann Lee', '*** ***'],
    ['div', 'data-title', 'true', '****'],
    ['div', 'title', 'yes', '***'],
  ])('what may be words does not: %s %s=%s', (tag, name, value, expected) => {
    expect(recorded(tag, name, value)).toBe(expected)
  })

  it.each([
    '[data-when=now]{}',
    'a:not([data-when="now"]),b{}',
    "@media print{p [ data-when ~= 'now' i ]>b{}}",
    '/*"*/[DATA-WHEN|=now]{}',
    '.a\\"b[data-when=now]{}',
  ])('what a sheet selects stays, and nothing beside it: %s', (css) => {
    const masker = maskerOf(css)
    expect(recorded('div', 'data-when', 'now', masker)).toBe('now')
    expect(recorded('div', 'data-when', 'now Ann', masker)).toBe('now ***')
    expect(recorded('div', 'data-when', 'nowhere', masker)).toBe('*******')
    expect(recorded('div', 'data-who', 'now', masker)).toBe('***')
  })

  it.each([
    'a::after{content:"[data-when=now]"}',
    "a::after{content:'\\'[data-when=now]'}",
    '/*[data-when=now]*/',
    '.a\\[data-when=now\\]{}',
  ])('what only looks like a selector is none: %s', (css) => {
    expect(recorded('div', 'data-when', 'now', maskerOf(css))).toBe('***')
  })

  it('what a sheet shows is masked, but for short numbers; what it measures by is not shown', () => {
    const shown = maskerOf(
      'a::after{content:attr(data-state) attr( data-count ,"") attr(data-x type(<string>)) attr(lang)}',
    )
    expect(recorded('a', 'data-state', 'Ann', shown)).toBe('***')
    expect(recorded('a', 'data-x', '*-*', shown)).toBe('***')
    expect(recorded('a', 'data-count', '12', shown)).toBe('12')
    expect(recorded('a', 'data-count', '4915112345', shown)).toBe('**********')
    expect(recorded('html', 'lang', 'de', shown)).toBe('de')
    const measured = maskerOf(
      'a{width:attr(data-size %);height:attr(data-size type(<length>))}b::after{content:attr(name)}',
    )
    expect(recorded('a', 'data-size', '33.3333', measured)).toBe('33.3333')
    expect(recorded('a', 'name', 'Ann', measured)).toBe('***')
    expect(recorded('input', 'name', 'kind', measured)).toBe('kind')
  })

  it('a page that stands in an attribute is not told by it, whether text is masked or not', () => {
    const page = '<p data-fh-block>Ann</p>'
    for (const isMasked of [true, false]) {
      const attributes = { srcdoc: page, class: 'card' }
      maskerOf('', isMasked).mask(attributes, elementOf('iframe'), undefined)
      expect(attributes).toEqual({ class: 'card' })
    }
  })

  it('links that take a message along keep no secrets where they are shown', () => {
    const said = recorded('a', 'href', 'https://wa.me/?message=hi&token=hush', maskerOf('', false))
    // Pictures are not shown by default, and messages neither.
    expect(said).toBe('#')
    const sheets = createSheetAttributes()
    const rules = { isMasked: () => false } as unknown as Rules
    const open = createAttributeMasker(settingsOf({ blockAllMedia: false }), rules, sheets)
    expect(recorded('a', 'href', 'https://wa.me/?message=hi&token=hush', open)).toBe(
      'https://wa.me/?message=hi&token=%5BFiltered%5D',
    )
    expect(recorded('img', 'src', 'data:image/png;base64,authAA==', open)).toBe('data:image/png;base64,authAA==')
  })

  it('a sheet that is made to be slow is not, and what is learnt is bounded', { timeout: 5000 }, () => {
    const sheets = createSheetAttributes()
    for (const slow of [
      '[a'.repeat(100_000),
      `[${' '.repeat(100_000)}`,
      'attr(a type('.repeat(20_000),
      '["'.repeat(100_000),
    ])
      sheets.learn(slow)
    for (let value = 0; value < 10_001; value += 1) sheets.learn(`[data-x=v${value}]`)
    expect(sheets.isSelected('data-x', 'v9999')).toBe(true)
    expect(sheets.isSelected('data-x', 'v10000')).toBe(false)
  })
})
