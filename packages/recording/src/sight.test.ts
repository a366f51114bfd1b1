import { describe, expect, it } from 'vitest'
import { element, meta, mutation, NOW, snapshot, text } from './page.fixture.ts'
import { PageState } from './page-state.ts'
import { showsSomething } from './sight.ts'

const BODY = 3

const shows = (...body: Record<string, unknown>[]): boolean => {
  const page = new PageState()
  const head = element(
    90,
    'head',
    {},
    element(91, 'title', {}, text(92, 'Shop')),
    element(93, 'style', {}, text(94, 'p{}')),
  )
  for (const event of [meta(NOW), snapshot(NOW, head, element(BODY, 'body', {}, ...body))]) page.apply(event)
  return showsSomething(page.document)
}

describe('R35 something is to be seen of a page', () => {
  it('where a text stands in it, or an element that is seen without one, however deep', () => {
    expect(shows(element(4, 'div', {}, element(5, 'p', {}, text(6, ' Hello '))))).toBe(true)
    expect(shows(element(4, 'div'), element(5, 'canvas'))).toBe(true)
    expect(shows(element(4, 'img', { src: 'https://shop.example/lamp.png', width: '100' }))).toBe(true)
    const inShadow = { ...element(5, 'p', {}, text(6, 'Hello')), isShadow: true }
    expect(shows({ ...element(4, 'my-card', {}, inShadow), isShadowHost: true })).toBe(true)
    const slotted = { ...element(5, 'slot'), isShadow: true }
    expect(shows({ ...element(4, 'my-card', {}, slotted, text(6, 'Hello')), isShadowHost: true })).toBe(true)
  })

  it('and not where it only has what nobody sees', () => {
    expect(shows()).toBe(false)
    expect(shows(element(4, 'div', { id: 'app' }), text(5, '\n  '))).toBe(false)
    expect(shows(element(4, 'noscript', {}, text(5, 'Please allow scripts.')))).toBe(false)
    expect(shows(element(4, 'div', { style: 'color:red; display: none' }, text(5, 'Later')))).toBe(false)
    expect(shows(element(4, 'div', { hidden: '' }, element(5, 'button', {}, text(6, 'Later'))))).toBe(false)
    expect(shows(element(4, 'img', { src: 'https://count.example/', width: '1', height: '1' }))).toBe(false)
    expect(shows(element(4, 'input', { type: 'hidden', value: 'token' }))).toBe(false)
  })

  it('as soon as it comes', () => {
    const page = new PageState()
    expect(showsSomething(page.document)).toBe(false)
    for (const event of [meta(NOW), snapshot(NOW, element(BODY, 'body'))]) page.apply(event)
    expect(showsSomething(page.document)).toBe(false)
    page.apply(mutation(NOW + 1, { adds: [{ parentId: BODY, nextId: null, node: text(4, 'Hello') }] }))
    expect(showsSomething(page.document)).toBe(true)
  })
})
